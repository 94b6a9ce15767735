import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { refusalStatus } from '../src/index.ts'
import { createMemorySessions, type ReceiverEvent, type ReceiverOptions } from '../src/receiver/index.ts'
import { createTestReceiver, payload, post, type TestReceiver, url } from './_receiver.ts'
import { keyText } from './_vectors.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const problemSchema = z.object({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  requestId: z.uuid(),
  issues: z.array(z.object({ path: z.string(), problem: z.string() })).optional(),
})

type Make = (receiver: TestReceiver) => Request | Promise<Request>

const refused: readonly (readonly [keyof typeof refusalStatus, string, Make])[] = [
  ['ERR_METHOD_NOT_ALLOWED', 'GET', () => new Request(url)],
  ['ERR_METHOD_NOT_ALLOWED', 'PUT with a form', async r => put(await r.sign())],
  ['ERR_MEDIA_TYPE', 'JSON', () => raw('{}', { 'content-type': 'application/json' })],
  ['ERR_MEDIA_TYPE', 'a multipart form', () => new Request(url, { method: 'POST', body: new FormData() })],
  ['ERR_MEDIA_TYPE', 'no media type', () => raw(new Blob(['payload=x']), {})],
  ['ERR_MEDIA_TYPE', 'a compressed form', () => raw('payload=x', { ...form, 'content-encoding': 'gzip' })],
  ['ERR_PAYLOAD_TOO_LARGE', 'more than 64 KiB', () => raw(`payload=${'a'.repeat(64 * 1024)}`, form)],
  [
    'ERR_PAYLOAD_TOO_LARGE',
    'more than 64 KiB of other fields',
    () => raw(`a=${'a'.repeat(65_600)}&payload=x`, form),
  ],
  ['ERR_PAYLOAD_MISSING', 'an empty body', () => raw('', form)],
  ['ERR_PAYLOAD_MISSING', 'another field', () => raw('token=x', form)],
  ['ERR_PAYLOAD_MISSING', 'an empty field', () => raw('payload=', form)],
  ['ERR_PAYLOAD_MISSING', 'a field in another case', () => raw('Payload=x', form)],
  [
    'ERR_PAYLOAD_MALFORMED',
    'two fields',
    async r => raw(`payload=${await r.sign()}&payload=${await r.sign()}`, form),
  ],
  ['ERR_PAYLOAD_MALFORMED', 'text that is no token', () => raw('payload=hello', form)],
  ['ERR_PAYLOAD_MALFORMED', 'bytes that are no text', () => raw('payload=%ff%fe', form)],
  ['ERR_PAYLOAD_ALGORITHM', 'an unsigned token of nobody', () => post('eyJhbGciOiJub25lIn0.e30.')],
  ['ERR_PAYLOAD_KEY', 'a kid of nobody', async r => post(await r.sign({}, { keyId: 'nobody' }))],
  ['ERR_PAYLOAD_KEY', 'an iss of nobody', async () => post(await bare({ iss: 'https://nobody.example' }))],
  ['ERR_PAYLOAD_KEY', 'neither kid nor iss, with several partners', async () => post(await bare({}))],
  [
    'ERR_PAYLOAD_KEY',
    'the kid of one partner and the iss of another',
    async r => post(await r.sign({}, { key: 'secret', issuer: 'https://other.example' })),
  ],
  [
    'ERR_PAYLOAD_SIGNATURE',
    'the kid of another key',
    async r => post(await r.sign({}, { key: 'otherRsa', keyId: 'rsa' })),
  ],
  [
    'ERR_PARTNER_INACTIVE',
    'a partner that is not active',
    async r => post(await r.sign({}, { key: 'p384' })),
  ],
  [
    'ERR_PAYLOAD_EXPIRED',
    'an old token',
    async r => {
      const token = await r.sign()
      r.pass(121)
      return post(token)
    },
  ],
  [
    'ERR_PAYLOAD_AUDIENCE',
    'another address',
    async r => post(await r.sign({}, { audience: 'https://sso.example/' })),
  ],
  [
    'ERR_PAYLOAD_SHAPE',
    'no contact.id',
    async () => post(await bare({ iss: 'https://lenient.example', contact: { firstname: 'Ola' } })),
  ],
  [
    'ERR_PAYLOAD_REPLAYED',
    'a token used before',
    async r => {
      const token = await r.sign()
      expect((await r.receive(post(token))).status).toBe(200)
      return post(token)
    },
  ],
]

describe('[4.1-post] what the receiver refuses', () => {
  test.each(refused)('%s: %s', async (code, _name, make) => {
    const receiver = await createTestReceiver()
    const request = await make(receiver)
    const token = (await request.clone().text()).replace(/^payload=/, '')
    const response = await receiver.receive(withAccept(request, '*/*'))
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const text = await response.text()
    const problem = problemSchema.parse(JSON.parse(text))
    expect(problem.code).toBe(code)
    expect([response.status, problem.status]).toEqual([refusalStatus[code], refusalStatus[code]])
    expect(response.headers.get('x-request-id')).toBe(problem.requestId)
    expect(receiver.events.at(-1)).toMatchObject({ requestId: problem.requestId, result: code })
    // A random request id may hold a short part of a token, such as `e30`, by chance.
    const told = text.replaceAll(problem.requestId, '')
    for (const part of [...token.split('.'), 'Ola', 'emp-7', '01018012345', 'nobody'])
      if (part.length > 2) expect(told).not.toContain(part)
    if (code === 'ERR_METHOD_NOT_ALLOWED') expect(response.headers.get('allow')).toBe('POST')
    if (code === 'ERR_PAYLOAD_SHAPE')
      expect(problem.issues).toEqual([{ path: 'contact.id', problem: 'is missing' }])
  })

  test('a refusal is a page for a browser, with code and request id, and nothing runs in it', async () => {
    const receiver = await createTestReceiver()
    const response = await receiver.receive(post('hello'))
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await response.text()
    expect(html).toContain('ERR_PAYLOAD_MALFORMED')
    expect(html).toContain(response.headers.get('x-request-id'))
    expect(html).not.toContain('<script')
  })

  test('the first check that fails answers: method, media type, size, form, token, key', async () => {
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

  test('the refusal of an aud shows the first address of several, and each of them counts', async () => {
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

  test('a body without Content-Length is cut off at 64 KiB, and not read on', async () => {
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

  test('a body that stalls or breaks off is refused', async () => {
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
        new Request(url, { method: 'POST', headers: form, body, duplex: 'half' }),
      )
      expect(problemSchema.parse(await response.json()).detail).toContain(words)
    }
  })

  test('exactly 64 KiB are taken', async () => {
    const receiver = await createTestReceiver()
    const token = await receiver.sign()
    const filling = 'a'.repeat(64 * 1024 - `payload=${token}&x=`.length)
    expect((await receiver.receive(raw(`payload=${token}&x=${filling}`, form))).status).toBe(200)
  })

  test.each<[string, string, (fail: () => void) => Partial<ReceiverOptions>]>([
    [
      'sessions, before the effects',
      'leaves the token unused',
      fail => ({ sessions: { ...createMemorySessions(), current: async () => void fail() } }),
    ],
    [
      'renderPage, after the effects',
      'has used the token',
      fail => ({
        renderPage: () => {
          fail()
          return '<!doctype html>'
        },
      }),
    ],
  ])(
    'a port that fails is a 503 that tells nothing and reports its cause: %s, %s',
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
      expect(await response.text()).not.toContain('Nordmann')
      expect(receiver.events).toEqual([expect.objectContaining({ result: 'ERR_UNAVAILABLE', cause })])
      isBroken = false
      const again = await deliver()
      if (what === 'leaves the token unused') expect(again.status).toBe(200)
      else expect(problemSchema.parse(await again.json()).code).toBe('ERR_PAYLOAD_REPLAYED')
    },
  )

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
    const link = await receiver.receive(post(await receiver.sign(), { accept: 'application/json' }))
    expect(link.status).toBe(200)
    const { url: address } = z.object({ url: z.url() }).parse(await link.json())
    expect((await receiver.open(new Request(address))).status).toBe(200)
    expect((await receiver.open(new Request(address))).status).toBe(410)
    expect((await receiver.receive(post('hello'))).status).toBe(400)
    expect(told).toBe(5)
  })
})

function raw(body: string | Blob, headers: Record<string, string>): Request {
  return new Request(url, { method: 'POST', headers, body })
}

function put(token: string): Request {
  return new Request(url, { method: 'PUT', body: new URLSearchParams({ payload: token }) })
}

function withAccept(request: Request, accept: string): Request {
  const headers = new Headers(request.headers)
  headers.set('accept', accept)
  return new Request(request, { headers })
}

/** A token of the lenient partner's key without its kid. */
function bare(claims: Record<string, unknown>): Promise<string> {
  return new SignJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(keyText('secret', 'secret'), 'base64url'))
}
