import { query, readAuthSecret, startService, transactionSeal, Visitor } from '@service-link/service/test-kit'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  aase,
  askMy,
  beginLogIn,
  confirmAt,
  logInToMy,
  nora,
  per,
  problemOf,
  type RunningMy,
  startMy,
  torbjorn,
} from '../support/my.ts'

const sessionCookie = '__Host-my.session_token'

describe('[5.1-consumer] the log-in of the consumer app', () => {
  let my: RunningMy
  beforeAll(async () => {
    my = await startMy()
  })
  afterAll(() => my[Symbol.asyncDispose]())

  const session = (visitor: Visitor) => askMy(visitor, my, '/session')
  const nobody = { status: 200, body: { isSetUp: true, lastsMinutes: 30, consumer: null } }

  /** Runs the log-in with a change and expects an error page without a session. */
  async function expectRefused(
    code: string,
    status: number,
    change: { authorization?: (url: URL) => void; callback?: (url: URL) => void },
  ): Promise<void> {
    const visitor = new Visitor()
    const authorization = await beginLogIn(visitor, my)
    change.authorization?.(authorization)
    const callback = await confirmAt(visitor, authorization, aase)
    change.callback?.(callback)
    const answer = await visitor.go(callback)
    expect(await problemOf(answer)).toEqual({ status, code })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(visitor.cookie(sessionCookie)).toBeUndefined()
    expect(await session(visitor)).toEqual(nobody)
  }

  test('asks with code, PKCE, state, nonce and the sufficient levels, new each time', async () => {
    const [first, second] = [await beginLogIn(new Visitor(), my), await beginLogIn(new Visitor(), my)]
    expect(first.origin).toBe(my.eId.url)
    const asked = Object.fromEntries(first.searchParams)
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${my.running.service.url}/my/callback`,
      prompt: 'login',
      max_age: '600',
      acr_values: 'http://eidas.europa.eu/LoA/substantial http://eidas.europa.eu/LoA/high',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked[name]?.length).toBeGreaterThanOrEqual(43)
      expect(second.searchParams.get(name)).not.toBe(asked[name])
    }
  })

  test('sets a session cookie bound to the host, and removes the log-in’s cookie', async () => {
    const { visitor, answer } = await logInToMy(my, aase)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/my')
    const cookie = answer.headers.getSetCookie().find(line => line.startsWith(sessionCookie))
    for (const attribute of ['Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=1800'])
      expect(cookie).toContain(attribute)
    expect(cookie).not.toContain('Domain')
    expect(visitor.cookie('__Host-my-log-in')).toBeUndefined()
    expect(await session(visitor)).toEqual({
      status: 200,
      body: {
        isSetUp: true,
        lastsMinutes: 30,
        consumer: { logInId: expect.any(String), name: aase.name, endsInMs: expect.any(Number) },
      },
    })
  })

  test('ends the browser’s existing session', async () => {
    const { visitor } = await logInToMy(my, aase)
    const former = visitor.cookie(sessionCookie) ?? ''
    await logInToMy(my, torbjorn, visitor)
    expect(visitor.cookie(sessionCookie)).not.toBe(former)
    expect((await session(visitor)).body.consumer).toMatchObject({ name: torbjorn.name })
    const thief = new Visitor()
    thief.put(sessionCookie, former)
    expect(await session(thief)).toEqual(nobody)
  })

  test.each([
    ['the state of another log-in', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['two states', (url: URL) => url.searchParams.append('state', 'x'.repeat(43))],
    ['another issuer’s name', (url: URL) => url.searchParams.set('iss', 'https://other.example')],
    ['no issuer’s name', (url: URL) => url.searchParams.delete('iss')],
    ['another code', (url: URL) => url.searchParams.set('code', 'x'.repeat(43))],
    ['no code', (url: URL) => url.searchParams.delete('code')],
  ])('is refused when the browser returns with %s', (_name, callback) =>
    expectRefused('ERR_EID_ANSWER', 400, { callback }),
  )

  test.each([
    ['nonce', 'another-nonce-that-nobody-asked-for-0000000'],
    // The service's verifier does not match another challenge.
    ['code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  ])('is refused when the issuer had another %s', (name, value) =>
    expectRefused('ERR_EID_ANSWER', 400, { authorization: url => url.searchParams.set(name, value) }),
  )

  test('cannot be replayed: not by the return address alone, nor with the log-in’s cookie', async () => {
    const visitor = new Visitor()
    const callback = await confirmAt(visitor, await beginLogIn(visitor, my), aase)
    const sealed = visitor.cookie('__Host-my-log-in') ?? ''
    expect((await visitor.go(callback)).status).toBe(303)
    visitor.put(sessionCookie, '')
    expect(await problemOf(await visitor.go(callback))).toEqual({ status: 400, code: 'ERR_EID_GONE' })
    visitor.put('__Host-my-log-in', sealed)
    expect(await problemOf(await visitor.go(callback))).toEqual({ status: 400, code: 'ERR_EID_GONE' })
    expect(await session(visitor)).toEqual(nobody)
  })

  test('finishes once, even with another valid code, in any process; its session counts at all', async () => {
    await using other = await startService({
      ...my.running.storage,
      publicUrl: my.running.service.url,
      eId: my.settings,
    })
    const visitor = new Visitor()
    const authorization = await beginLogIn(visitor, my)
    const callback = await confirmAt(visitor, authorization, aase)
    const another = await confirmAt(visitor, authorization, aase)
    expect(another.searchParams.get('code')).not.toBe(callback.searchParams.get('code'))
    const thief = new Visitor()
    thief.put('__Host-my-log-in', visitor.cookie('__Host-my-log-in') ?? '')
    // Browsers send a host's cookies to all of its ports.
    callback.port = String(other.service.port)
    expect((await visitor.go(callback)).headers.get('location')).toBe('/my')
    expect((await session(visitor)).body.consumer).toMatchObject({ name: aase.name })
    expect(await problemOf(await thief.go(another))).toEqual({ status: 400, code: 'ERR_EID_GONE' })
    expect(thief.cookie(sessionCookie)).toBeUndefined()
  })

  test('survives another page that leads the browser to the return address', async () => {
    const visitor = new Visitor()
    const callback = await confirmAt(visitor, await beginLogIn(visitor, my), aase)
    const forged = `${my.running.service.url}/my/callback?code=x&state=x`
    expect(await problemOf(await visitor.go(forged))).toEqual({ status: 400, code: 'ERR_EID_ANSWER' })
    expect((await visitor.go(callback)).headers.get('location')).toBe('/my')
  })

  test.each([
    [60, { status: 400, code: 'ERR_EID_ANSWER' }],
    [-60, { status: 303, code: undefined }],
  ])('begun %s s after the person’s identification ends with %j', async (seconds, expected) => {
    const visitor = new Visitor()
    const callback = await confirmAt(visitor, await beginLogIn(visitor, my), aase)
    const seal = transactionSeal(readAuthSecret(my.running.dataFolder))
    const transaction = await seal.open(visitor.cookie('__Host-my-log-in'))
    if (!transaction) throw new TypeError('The service sealed no transaction.')
    const startedAt = Math.floor(Date.now() / 1000) + seconds
    const sealed = await seal.seal({ ...transaction, startedAt })
    visitor.put('__Host-my-log-in', sealed)
    expect(await problemOf(await visitor.go(callback))).toEqual(expected)
  })

  test('is refused in a browser that did not begin it', async () => {
    const attacker = new Visitor()
    const callback = await confirmAt(attacker, await beginLogIn(attacker, my), aase)
    const victim = new Visitor()
    expect(await problemOf(await victim.go(callback))).toEqual({ status: 400, code: 'ERR_EID_GONE' })
    await beginLogIn(victim, my)
    expect(await problemOf(await victim.go(callback))).toEqual({ status: 400, code: 'ERR_EID_ANSWER' })
    expect(await session(victim)).toEqual(nobody)
  })

  test.each(['', 'x', 'a.b.c.d.e', 'eyJhbGciOiJub25lIn0.e30.'])(
    'is refused with a cookie %j that the service did not seal',
    async value => {
      const visitor = new Visitor()
      visitor.put('__Host-my-log-in', value)
      const answer = await visitor.go(`${my.running.service.url}/my/callback?code=x&state=x`)
      expect(await problemOf(answer)).toEqual({ status: 400, code: 'ERR_EID_GONE' })
    },
  )

  test('canceled by the person is no failure of the service', async () => {
    const visitor = new Visitor()
    const callback = await confirmAt(visitor, await beginLogIn(visitor, my), 'cancel')
    expect(callback.searchParams.get('error')).toBe('access_denied')
    expect(await problemOf(await visitor.go(callback))).toEqual({ status: 403, code: 'ERR_EID_CANCELLED' })
    expect(await session(visitor)).toEqual(nobody)
  })

  test('at a too low level is refused, and the next one can have a higher level', async () => {
    const { visitor, answer } = await logInToMy(my, per)
    expect(await problemOf(answer)).toEqual({ status: 403, code: 'ERR_EID_LEVEL' })
    expect(await session(visitor)).toEqual(nobody)
    await logInToMy(my, nora, visitor)
    expect((await session(visitor)).body.consumer).toMatchObject({ name: nora.name })
  })

  test('begins only from the service’s page', async () => {
    const visitor = new Visitor()
    const answer = await visitor.go(`${my.running.service.url}/my/log-in`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(answer.headers.get('location')).toBe('/my')
    expect(visitor.cookie('__Host-my-log-in')).toBeUndefined()
  })
})

describe('the issuer', () => {
  test.each(['ES256', 'RS256'] as const)('may sign its ID tokens with %s', async algorithm => {
    await using my = await startMy({ client: { id_token_signed_response_alg: algorithm } })
    expect((await logInToMy(my, aase)).answer.headers.get('location')).toBe('/my')
  })

  test('may require the service’s key instead of a secret', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const named = { alg: 'ES256', kid: '2026' }
    const publicKeys = { keys: [{ ...(await exportJWK(publicKey)), ...named }] }
    const clientKey = z
      .looseObject({ kty: z.literal('EC'), d: z.string() })
      .parse(await exportJWK(privateKey))
    await using my = await startMy({
      client: { token_endpoint_auth_method: 'private_key_jwt', jwks: publicKeys },
      proof: { clientKey: { ...clientKey, alg: 'ES256', kid: '2026' } },
    })
    expect((await logInToMy(my, aase)).answer.headers.get('location')).toBe('/my')
  })

  test('may name the identity number by a national claim', async () => {
    await using my = await startMy({ issuedClaim: 'pid', eId: { ssnClaim: 'pid' } })
    expect((await logInToMy(my, aase)).answer.headers.get('location')).toBe('/my')
  })

  test('without an identity number lets no person in', async () => {
    await using my = await startMy({ issuedClaim: 'pid', eId: { ssnClaim: 'ssn' } })
    const { answer, visitor } = await logInToMy(my, aase)
    expect(await problemOf(answer)).toEqual({ status: 403, code: 'ERR_EID_NO_NUMBER' })
    expect(visitor.cookie(sessionCookie)).toBeUndefined()
  })

  test('that rejects the service’s secret lets no person in', async () => {
    await using my = await startMy({ proof: { clientSecret: 'another-secret-than-the-registered-one' } })
    expect(await problemOf((await logInToMy(my, aase)).answer)).toEqual({
      status: 400,
      code: 'ERR_EID_ANSWER',
    })
  })

  test('may be down: the service starts, says so, and works once the issuer is up', async () => {
    await using my = await startMy()
    const visitor = new Visitor()
    const callback = await confirmAt(visitor, await beginLogIn(visitor, my), aase)
    await my.eId.close()
    expect(await problemOf(await visitor.go(callback))).toEqual({ status: 503, code: 'ERR_EID_UNAVAILABLE' })
    await using later = await startService({ eId: my.settings })
    const answer = await fetch(`${later.service.url}/my/log-in`, { redirect: 'manual' })
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(await problemOf(answer)).toEqual({ status: 503, code: 'ERR_EID_UNAVAILABLE' })
    expect((await fetch(`${later.service.url}/health/live`)).status).toBe(200)
    expect((await fetch(`${later.service.url}/my`)).status).toBe(200)
  })

  test('gets a limited number of requests per address', async () => {
    await using my = await startMy()
    expect((await fetch(`${my.running.service.url}/my/callback`)).status).toBe(400)
    await query(my.running, `update rate_counts set count = 240, ends_at = ${Date.now() + 3_600_000}`)
    const refused = await fetch(`${my.running.service.url}/my/log-in`, { redirect: 'manual' })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await problemOf(refused)).toEqual({ status: 429, code: 'ERR_EID_TOO_MANY' })
  })

  test('may be missing: the consumer app says that it is not set up', async () => {
    await using running = await startService()
    const answer = await fetch(`${running.service.url}/my/log-in`, { redirect: 'manual' })
    expect(await problemOf(answer)).toEqual({ status: 404, code: 'ERR_EID_NOT_SET_UP' })
    const session = await fetch(`${running.service.url}/api/my/session`)
    expect(await session.json()).toEqual({ isSetUp: false, lastsMinutes: 30, consumer: null })
  })
})
