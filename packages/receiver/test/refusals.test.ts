import { refusalStatus } from '@service-link/jwt-payload'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { ReceiverEvent, ReceiverOptions } from '../src/index.ts'
import { sentenceOf } from '../src/pages/refusal-page.ts'
import { createMemorySessions } from '../src/testing/index.ts'
import { createTestReceiver, linkOf, post, url } from './support/receiver.ts'
import { askRefused, form, raw, readable, refusedPosts, scripted } from './support/refused-posts.ts'

/** Headers of every refusal. */
const closedHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'unsafe-none',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  vary: 'Accept',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const problemSchema = z.object({
  type: z.url(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  requestId: z.uuid(),
  issues: z.optional(z.array(z.object({ path: z.string(), problem: z.string() }))),
})

describe('[4.1-post] the receiver’s refusals', () => {
  test('cover every code', () => {
    expect(new Set(refusedPosts.map(({ code }) => code))).toEqual(new Set(Object.keys(refusalStatus)))
  })

  test.each(refusedPosts)('$code: $name', async refused => {
    const { code, isOpening, headers = {} } = refused
    const { receiver, request, response } = await askRefused(refused, '*/*')
    const text = await response.text()
    const problem = problemSchema.parse(JSON.parse(text))
    expect(problem).toMatchObject({ type: docsUrlOf(code), code, status: refusalStatus[code] })
    expect(response.status).toBe(refusalStatus[code])
    expect(Object.fromEntries(response.headers)).toEqual({
      ...closedHeaders,
      'content-type': 'application/problem+json',
      'x-request-id': problem.requestId,
      ...headers,
    })
    expect(receiver.events.at(-1)).toMatchObject({
      requestId: problem.requestId,
      event: isOpening ? 'open' : 'post',
      result: code,
    })
    await assertTellsNothing(request, response, text, problem.requestId)
    if (code === 'ERR_PAYLOAD_SHAPE')
      expect(problem.issues).toEqual([{ path: 'contact.id', problem: 'is missing' }])
  })

  // A script gets the problem in any case.
  const forPeople = refusedPosts.filter(({ headers }) => headers !== readable)
  test.each(forPeople)('$code as a page: $name', async refused => {
    const { code, headers = {} } = refused
    const { request, response } = await askRefused(refused, 'text/html,*/*;q=0.8')
    const html = await response.text()
    const requestId = z.uuid().parse(response.headers.get('x-request-id'))
    expect(response.status).toBe(refusalStatus[code])
    expect(Object.fromEntries(response.headers)).toEqual({
      ...closedHeaders,
      'content-type': 'text/html; charset=utf-8',
      'x-request-id': requestId,
      ...headers,
    })
    const [forReader = '', forDevelopers = ''] = html.split('<details>')
    expect(forReader).toContain(sentenceOf(code))
    expect(forReader).not.toContain(code)
    for (const part of [code, requestId, docsUrlOf(code)]) expect(forDevelopers).toContain(part)
    if (code === 'ERR_PAYLOAD_SHAPE') expect(forDevelopers).toContain('<dd>contact.id</dd>')
    expect(html).not.toMatch(/<script|<link|<img|\son\w+=/i)
    await assertTellsNothing(request, response, html, requestId)
  })

  test('a page that loads a one-time URL as an image does not use it up', async () => {
    const receiver = await createTestReceiver()
    const address = await linkOf(receiver)
    expect((await receiver.open(new Request(address, { headers: scripted }))).status).toBe(400)
    expect((await receiver.open(new Request(address))).status).toBe(200)
  })

  test('the first failing check answers: method, media type, size, form, token, key', async () => {
    const receiver = await createTestReceiver()
    const large = 'a'.repeat(70_000)
    const bodies: readonly (readonly [string, Request])[] = [
      ['ERR_METHOD_NOT_ALLOWED', new Request(url, { method: 'PUT', body: large })],
      ['ERR_MEDIA_TYPE', raw(large, { 'content-type': 'text/plain' })],
      ['ERR_PAYLOAD_TOO_LARGE', raw(large, form)],
    ]
    for (const [code, request] of bodies)
      expect(problemSchema.parse(await (await receiver.receive(request)).json()).code).toBe(code)
  })

  test('the refusal of an aud shows the first of several addresses, and each of them counts', async () => {
    const old = 'https://old.example/partner/payload'
    const receiver = await createTestReceiver({ url: [url, old] })
    const refusal = await receiver.receive(
      post(await receiver.sign({}, { audience: 'https://other.example/' }), { accept: 'application/json' }),
    )
    const { code, detail } = problemSchema.parse(await refusal.json())
    expect(code).toBe('ERR_PAYLOAD_AUDIENCE')
    expect(detail).toContain(`${url},`)
    expect(detail).not.toContain(old)
    for (const audience of [url, old])
      expect((await receiver.receive(post(await receiver.sign({}, { audience })))).status).toBe(200)
  })

  test('a body without Content-Length is cut off at 64 KiB and not read further', async () => {
    const receiver = await createTestReceiver()
    let pulled = 0
    const body = new ReadableStream<Uint8Array>({
      pull: controller => {
        pulled += 1024
        controller.enqueue(new Uint8Array(1024).fill(0x61))
      },
    })
    const request = new Request(url, { method: 'POST', headers: form, body, duplex: 'half' })
    expect((await receiver.receive(request)).status).toBe(413)
    expect(pulled).toBeLessThan(80 * 1024)
  })

  test.each([
    ['a kid names', { kid: 'p256' }, 'ERR_PAYLOAD_SIGNATURE'],
    ['only iss could name', {}, 'ERR_PAYLOAD_MALFORMED'],
  ])('unsigned claims that cannot be read, of a partner that %s', async (_name, header, expected) => {
    const receiver = await createTestReceiver()
    const [head, claims] = [JSON.stringify({ alg: 'ES256', ...header }), `{"x":${'['.repeat(5000)}`].map(
      text => Buffer.from(text).toString('base64url'),
    )
    const response = await receiver.receive(post(`${head}.${claims}.${'A'.repeat(86)}`))
    expect(await response.text()).toContain(expected)
  })

  test.each([
    ['of a stated length', { ...form, 'content-length': '1000' }],
    ['of no stated length', form],
    ['of a stated length, in chunks', { ...form, 'content-length': '10', 'transfer-encoding': 'chunked' }],
  ])('a body %s that stalls or breaks off is refused', async (_name, headers) => {
    const receiver = await createTestReceiver({ bodyTimeoutMs: 5 })
    const stalling = new ReadableStream<Uint8Array>({})
    const breaking = new ReadableStream<Uint8Array>({
      start: controller => controller.error(new Error('secret')),
    })
    for (const [body, words] of [
      [stalling, 'within 5 ms'],
      [breaking, 'broke off'],
    ] as const) {
      const response = await receiver.receive(
        new Request(url, { method: 'POST', headers, body, duplex: 'half' }),
      )
      const { code, detail } = problemSchema.parse(await response.json())
      expect(code).toBe('ERR_PAYLOAD_MALFORMED')
      expect(detail).toContain(words)
    }
  })

  test.each([
    ['letters', 'a'.repeat(64 * 1024 - 7), 413],
    ['signs of three bytes', '€'.repeat(22_000), 413],
    ['signs of three bytes that fit', '€'.repeat(21_000), 400],
  ])('a body of %s that is longer than stated is taken as received', async (_name, text, status) => {
    const receiver = await createTestReceiver()
    const request = raw(`payload=${text}`, { ...form, 'content-length': '20' })
    expect((await receiver.receive(request)).status).toBe(status)
  })

  test('exactly 64 KiB are accepted', async () => {
    const receiver = await createTestReceiver()
    const token = await receiver.sign()
    const filling = 'a'.repeat(64 * 1024 - `payload=${token}&x=`.length)
    expect((await receiver.receive(raw(`payload=${token}&x=${filling}`, form))).status).toBe(200)
  })

  test.each<[string, string, (fail: () => void) => Partial<ReceiverOptions>]>([
    [
      'sessions, before the transaction',
      'leaves the token unused',
      fail => ({ sessions: { ...createMemorySessions(), current: async () => void fail() } }),
    ],
    [
      'renderPage, after the transaction',
      'has used the token',
      fail => ({
        renderPage: () => {
          fail()
          return '<!doctype html>'
        },
      }),
    ],
  ])(
    'a port that fails is a 503 without details and reports its cause: %s, %s',
    async (_port, what, makeOptions) => {
      const cause = new Error('contact Nordmann could not be written')
      let isBroken = true
      const receiver = await createTestReceiver(
        makeOptions(() => {
          if (isBroken) throw cause
        }),
      )
      const token = await receiver.sign()
      const deliver = () =>
        receiver.receive(post(token, { accept: 'application/problem+json', cookie: 'any=1' }))
      const response = await deliver()
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('5')
      const told = await response.text()
      expect(told).not.toContain('Nordmann')
      expect(told.includes('The payload was taken')).toBe(what === 'has used the token')
      expect(receiver.events).toEqual([expect.objectContaining({ result: 'ERR_UNAVAILABLE', cause })])
      isBroken = false
      const again = await deliver()
      if (what === 'leaves the token unused') expect(again.status).toBe(200)
      else expect(problemSchema.parse(await again.json()).code).toBe('ERR_PAYLOAD_REPLAYED')
    },
  )

  test('a failure is one line on the error output without a listener, and its message is not told', async () => {
    const line = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => line.mockRestore())
    const cause = Object.assign(new Error('contact Nordmann\n    at Nordmann'), { code: 'ECONNREFUSED' })
    const receiver = await createTestReceiver({
      onEvent: undefined,
      runTransaction: () => Promise.reject(cause),
    })
    const { requestId } = Object(await (await receiver.receive(post(await receiver.sign(), json))).json())
    await receiver.receive(post('no token'))
    expect(line).toHaveBeenCalledTimes(1)
    const told = String(line.mock.calls[0]?.[0])
    for (const part of ['ERR_UNAVAILABLE', requestId, 'Error ECONNREFUSED at ', 'refusals.test'])
      expect(told).toContain(part)
    expect(told).not.toContain('Nordmann')
  })

  test.each<[string, (sign: () => Promise<string>) => unknown]>([
    ['nodeHandler(receiver)', async () => ({ method: 'POST', headers: {}, url: '/partner/payload' })],
    ['context.req.raw', async () => undefined],
    ['was read before', async sign => readBefore(post(await sign()))],
    [
      'was read before',
      async sign => readBefore(raw(`payload=${await sign()}`, { ...form, 'content-length': '9' })),
    ],
  ])('what is no unread Request is a 503 whose cause says %s', async (words, ask) => {
    const receiver = await createTestReceiver()
    const answer = await Reflect.apply(receiver.receive, undefined, [await ask(receiver.sign)])
    expect(answer.status).toBe(503)
    expect(receiver.events).toMatchObject([{ cause: { message: expect.stringContaining(words) } }])
  })

  test.each<[string, (event: ReceiverEvent) => void]>([
    [
      'throws',
      () => {
        throw new Error('the log is full')
      },
    ],
    ['rejects', async () => Promise.reject(new Error('the log is full'))],
  ])('a listener that %s changes no answer: page, link, its opening, refusal', async (_name, listener) => {
    let told = 0
    const receiver = await createTestReceiver({
      onEvent: event => {
        told++
        return listener(event)
      },
    })
    expect((await receiver.receive(post(await receiver.sign()))).status).toBe(200)
    const address = await linkOf(receiver)
    expect((await receiver.open(new Request(address))).status).toBe(200)
    expect((await receiver.open(new Request(address))).status).toBe(410)
    expect((await receiver.receive(post('hello'))).status).toBe(400)
    expect(told).toBe(5)
  })
})

const json = { accept: 'application/json' }

async function readBefore(request: Request): Promise<Request> {
  await request.text()
  return request
}

/** Neither the body nor a header holds any part of the request. */
async function assertTellsNothing(
  request: Request,
  response: Response,
  body: string,
  requestId: string,
): Promise<void> {
  const token = (await request.text()).replace(/^payload=/, '')
  const handle = new URL(request.url).pathname.split('/').at(-1) ?? ''
  // A random request id may hold a short part of a token, such as `e30`, by chance.
  const told = `${body}\n${JSON.stringify([...response.headers])}`.replaceAll(requestId, '')
  const secrets = [...token.split('.'), 'Ola', 'Nordmann', 'emp-7', 'org-1', '01018012345', 'nobody']
  if (handle !== 'payload') secrets.push(handle)
  for (const secret of secrets) if (secret.length > 2) expect(told).not.toContain(secret)
}
