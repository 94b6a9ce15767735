import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { ReceiverOptions } from '../src/index.ts'
import { ada, createTestReceiver, linkOf, post, type TestReceiver, url } from './support/receiver.ts'
import { crossOrigin, readable, scripted } from './support/refused-posts.ts'

const { origin } = crossOrigin
const strictPartner = { scriptOrigins: ['https://other.example', origin] }

/** The code of a refusal, and whether a script of the origin may read it. */
async function refusalOf(response: Response): Promise<readonly [unknown, boolean]> {
  const isReadable = response.headers.get('access-control-allow-origin') === origin
  return [z.object({ code: z.string() }).parse(await response.json()).code, isReadable]
}

function preflight(headers: Record<string, string> = crossOrigin): Request {
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-any' }
  return new Request(url, { method: 'OPTIONS', headers: { ...asked, ...headers } })
}

describe('a script of another origin', () => {
  test('is refused before any effect: the token still works in a form', async () => {
    const receiver = await createTestReceiver()
    await receiver.logIn(ada.id)
    const before = receiver.store.auditEntries().length
    const token = await receiver.sign()
    for (const accept of ['*/*', 'application/json', 'text/html']) {
      const refused = await receiver.receive(post(token, { ...crossOrigin, accept }))
      expect([refused.status, refused.headers.get('content-type')]).toEqual([403, 'application/problem+json'])
      expect(await refused.json()).toMatchObject({
        code: 'ERR_CROSS_ORIGIN',
        detail: expect.stringContaining('Submit a form'),
      })
    }
    expect(receiver.store.auditEntries()).toHaveLength(before)
    expect(receiver.outcomes).toEqual([])
    expect((await receiver.receive(post(token, { origin }))).status).toBe(200)
  })

  test('gets the one-time URL as JSON where its origin is registered, whatever it asks for', async () => {
    const receiver = await createTestReceiver({ strictPartner })
    await receiver.logIn(ada.id)
    for (const [accept, site] of [
      ['*/*', 'cross-site'],
      ['text/html', 'same-site'],
    ] as const) {
      const token = await receiver.sign()
      const headers = { ...crossOrigin, accept, 'sec-fetch-site': site }
      const answer = await receiver.receive(post(token, headers))
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        ...readable,
        'content-type': 'application/json',
      })
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
      expect(answer.headers.getSetCookie()).toEqual([])
      const { url: address } = z.object({ url: z.url() }).parse(await answer.json())
      expect((await receiver.open(new Request(address))).status).toBe(200)
      expect(await refusalOf(await receiver.receive(post(token, headers)))).toEqual([
        'ERR_PAYLOAD_REPLAYED',
        true,
      ])
    }
  })

  test.each([
    ['another port', { ...crossOrigin, origin: `${origin}:8443` }],
    ['another scheme', { ...crossOrigin, origin: 'http://elsewhere.example' }],
    ['a longer host', { ...crossOrigin, origin: `${origin}.attacker.example` }],
    ['no origin that it tells', { ...crossOrigin, origin: 'null' }],
  ])('of %s than the registered one is refused', async (_name, headers) => {
    const receiver = await createTestReceiver({ strictPartner })
    const answer = await receiver.receive(post(await receiver.sign(), headers))
    expect(answer.headers.get('access-control-allow-origin')).toBe(headers.origin)
    expect((await refusalOf(answer))[0]).toBe('ERR_CROSS_ORIGIN')
  })

  test.each<[string, (receiver: TestReceiver) => Promise<Request>, string, Partial<ReceiverOptions>?]>([
    ['its body', async () => post('hello', crossOrigin), 'ERR_PAYLOAD_MALFORMED'],
    [
      'the signature',
      async r => post(await r.sign({}, { key: 'otherRsa', keyId: 'rsa' }), crossOrigin),
      'ERR_PAYLOAD_SIGNATURE',
    ],
    [
      'the audience',
      async r => post(await r.sign({}, { audience: origin }), crossOrigin),
      'ERR_PAYLOAD_AUDIENCE',
    ],
    ['its method', async () => new Request(url, { headers: crossOrigin }), 'ERR_METHOD_NOT_ALLOWED'],
    [
      'the store',
      async r => post(await r.sign(), crossOrigin),
      'ERR_UNAVAILABLE',
      { runTransaction: () => Promise.reject(new Error('no connection')) },
    ],
  ])('reads every other refusal: of %s', async (_name, make, code, options = {}) => {
    const receiver = await createTestReceiver({ strictPartner, ...options })
    expect(await refusalOf(await receiver.receive(await make(receiver)))).toEqual([code, true])
  })

  test('reads that a one-time URL is opened by a window, and does not use it up', async () => {
    const receiver = await createTestReceiver()
    const address = await linkOf(receiver)
    const refused = await receiver.open(new Request(address, { headers: crossOrigin }))
    expect(await refusalOf(refused)).toEqual(['ERR_NOT_NAVIGATED', true])
    expect((await receiver.open(new Request(address))).status).toBe(200)
  })

  test('gets its preflight answered, so that it can read the refusal of the post', async () => {
    const receiver = await createTestReceiver()
    const answer = await receiver.receive(preflight())
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...readable,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': '*',
    })
    expect(receiver.events).toEqual([])
    expect((await receiver.receive(preflight({}))).status).toBe(405)
    expect((await receiver.open(preflight())).status).toBe(400)
  })
})

test.each([
  ['a script that cannot read the answer', { ...scripted, origin }, 400],
  ['a script of the receiver’s own page', { ...crossOrigin, 'sec-fetch-site': 'same-origin' }, 400],
  ['a form of that origin', { ...crossOrigin, 'sec-fetch-mode': 'navigate' }, 200],
  ['a browser’s own request, of no page', { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'none' }, 200],
  ['a program that names mode and origin alone', { 'sec-fetch-mode': 'cors', origin }, 200],
])('%s is answered as ever, also where the origin is registered', async (_name, headers, status) => {
  const receiver = await createTestReceiver({ strictPartner })
  const answer = await receiver.receive(post(await receiver.sign(), headers))
  expect([
    answer.status,
    answer.headers.get('access-control-allow-origin'),
    answer.headers.get('vary'),
  ]).toEqual([status, null, 'Accept'])
})
