import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { refusalStatus } from '@service-link/jwt-payload'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { openApiFile } from '../scripts/openapi.ts'
import { createTestReceiver, post } from './support/receiver.ts'
import { askRefused, refusedPosts } from './support/refused-posts.ts'

const { url, text } = openApiFile()
const document = JSON.parse(text)

const ajv = addFormats.default(new Ajv2020({ strict: false }))
ajv.addSchema(document, 'openapi')

/** Expects an answer to be one that the document has at this path. */
async function expectDescribed(path: string, method: string, response: Response) {
  const place = ['paths', path, method, 'responses', String(response.status)]
  const described = place.reduce((node, name) => node?.[name], document)
  expect(described, place.join(' ')).toBeDefined()
  for (const name of Object.keys(described.headers ?? {})) expect(response.headers.has(name), name).toBe(true)
  if (!described.content) return expect(await response.text()).toBe('')
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  expect(Object.keys(described.content)).toContain(type)
  if (!type.endsWith('json')) return
  const pointer = [...place, 'content', type, 'schema'].map(name => name.replaceAll('/', '~1')).join('/')
  const validate = ajv.getSchema(`openapi#/${pointer}`)
  expect(validate?.(await response.json()), JSON.stringify(validate?.errors)).toBe(true)
}

const paths = ['/partner/payload', '/partner/payload/open/{handle}', '/.well-known/partner-link'] as const
const [ofPost, ofOpen, ofDiscovery] = paths

describe('openapi.json', () => {
  test('is up to date (npm run schemas)', () => {
    expect(readFileSync(url, 'utf8')).toBe(text)
  })

  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(document)
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('has every code', () => {
    expect(new Set(text.match(/\bERR_[A-Z_]+\b/g))).toEqual(new Set(Object.keys(refusalStatus)))
  })

  test.each(refusedPosts.map(refused => [refused.code, refused.name, refused] as const))(
    'describes the answer %s to %s, as JSON and as a page',
    async (_code, _name, refused) => {
      const [path, method] = refused.isOpening ? [ofOpen, 'get'] : [ofPost, 'post']
      for (const accept of ['application/json', 'text/html'])
        await expectDescribed(path, method, (await askRefused(refused, accept)).response)
    },
  )

  test('describes what a taken payload and an end get, and discovery', async () => {
    const receiver = await createTestReceiver({ strictPartner: { ends: true } })
    const json = { accept: 'application/json' }
    const answer = await receiver.receive(post(await receiver.sign(), json))
    const link = Object(await answer.clone().json()).url
    await expectDescribed(ofPost, 'post', answer)
    await expectDescribed(ofOpen, 'get', await receiver.open(new Request(link)))
    const end = await receiver.sign(Object({ contact: undefined, end: 'context' }))
    await expectDescribed(ofPost, 'post', await receiver.receive(post(end, json)))
    const page = await receiver.receive(post(await receiver.sign(), { accept: 'text/html' }))
    await expectDescribed(ofPost, 'post', page)
    const ask = (method: string) => receiver.describe(new Request('https://sso.example', { method }))
    await expectDescribed(ofDiscovery, 'get', ask('GET'))
    await expectDescribed(ofDiscovery, 'get', ask('POST'))
    await expectDescribed(ofDiscovery, 'head', ask('HEAD'))
  })
})
