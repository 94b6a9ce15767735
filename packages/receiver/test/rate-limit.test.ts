import { describe, expect, test } from 'vitest'
import { createRateLimiter, RateLimitedError, refusalResponse } from '../src/index.ts'
import { createTestReceiver, post, url } from './support/receiver.ts'

describe('a partner posts more than agreed', () => {
  test('is refused until the next minute without effect; other partners are not', async () => {
    const receiver = await createTestReceiver({ strictPartner: { maxPostsPerMinute: 2 } })
    const status = async (key?: string) =>
      (await receiver.receive(post(await receiver.sign({}, key === undefined ? {} : { key })))).status
    receiver.pass(20)
    expect([await status(), await status('rsa')]).toEqual([200, 200])
    const entries = receiver.store.auditEntries().length
    const token = await receiver.sign()
    const refused = await receiver.receive(post(token))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40'])
    expect(receiver.store.auditEntries().filter(({ outcome }) => outcome === 'log-in')).toHaveLength(entries)
    expect(await status('secret')).toBe(200)
    receiver.pass(40)
    // The refused token stays unused.
    expect((await receiver.receive(post(token))).status).toBe(200)
  })

  test('refused tokens, such as old or forged ones, cost no budget', async () => {
    const receiver = await createTestReceiver({ strictPartner: { maxPostsPerMinute: 1 } })
    const old = await receiver.sign()
    receiver.pass(121)
    const forged = await receiver.sign({}, { key: 'otherRsa', keyId: 'rsa' })
    for (const token of [old, forged]) expect((await receiver.receive(post(token))).status).toBe(401)
    expect((await receiver.receive(post(await receiver.sign()))).status).toBe(200)
  })

  test.each(['text/html', 'application/json'])(
    'a used token posted repeatedly, asking for %s, costs no budget',
    async accept => {
      const receiver = await createTestReceiver({ strictPartner: { maxPostsPerMinute: 2 } })
      const used = await receiver.sign()
      expect((await receiver.receive(post(used))).status).toBe(200)
      for (let count = 0; count < 5; count++)
        expect((await receiver.receive(post(used, { accept }))).status).toBe(401)
      expect((await receiver.receive(post(await receiver.sign()))).status).toBe(200)
    },
  )

  test('a limiter that cannot return a share changes no answer', async () => {
    const giveBack = () => Promise.reject(new Error('no connection'))
    const receiver = await createTestReceiver({ rateLimiter: { ...createRateLimiter(), giveBack } })
    const token = await receiver.sign()
    expect((await receiver.receive(post(token))).status).toBe(200)
    expect((await receiver.receive(post(token))).status).toBe(401)
  })

  test('a limiter that fails is a 503 before any effect', async () => {
    let isBroken = true
    const limiter = createRateLimiter()
    const receiver = await createTestReceiver({
      rateLimiter: {
        ...limiter,
        take: (...input) => (isBroken ? Promise.reject(new Error('no connection')) : limiter.take(...input)),
      },
    })
    const token = await receiver.sign()
    expect((await receiver.receive(post(token))).status).toBe(503)
    isBroken = false
    expect((await receiver.receive(post(token))).status).toBe(200)
  })
})

test('a service’s own limit answers as the receiver does', async () => {
  const refusal = new RateLimitedError(7, 'Too many payloads from this address were refused.')
  for (const [accept, type] of [
    ['*/*', 'application/problem+json'],
    ['text/html', 'text/html; charset=utf-8'],
  ]) {
    const request = new Request(url, { headers: { accept: accept ?? '' } })
    const response = refusalResponse(refusal, request, { requestId: 'id-1' })
    expect(response.status).toBe(429)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'retry-after': '7',
      'x-request-id': 'id-1',
      'x-frame-options': 'DENY',
    })
    const body = await response.text()
    for (const part of ['ERR_RATE_LIMITED', 'id-1', 'from this address', 'in 7 s'])
      expect(body).toContain(part)
  }
})
