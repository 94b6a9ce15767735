import { generateKeyPairSync } from 'node:crypto'
import { countVerifications } from '@service-link/test-kit/count-work'
import { url as audience, payload } from '@service-link/test-kit/payload-vectors'
import { serve } from '@service-link/test-kit/serve'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  importVerificationKey,
  type SigningKey,
  signPayload,
  type VerificationKeySource,
  verifyPayload,
} from '../../src/index.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Tokens without a kid need it. */
const issuer = 'https://partner.example'

/** Allows a server more time than the default, for busy machines. */
const patient = { keySetTimeoutMs: 60_000 }

describe('[5.1-asymmetric] a key set that the partner publishes', () => {
  test('is fetched once for all tokens, and verifies each of its keys, with and without kid', async () => {
    const [first, second] = [await createKey('first'), await createKey('second')]
    let fetches = 0
    await using server = await serve(() => {
      fetches++
      return Response.json({ keys: [first.jwk, second.jwk] })
    })
    const keys = await importVerificationKey({ kind: 'jwks', url: server.origin }, patient)
    expect(fetches).toBe(0)
    for (const key of [first.key, second.key, { ...second.key, keyId: undefined }]) {
      const token = await signPayload(payload, key, { audience, issuer })
      expect((await verifyPayload(token, { keys, audience })).algorithm).toBe('ES256')
    }
    expect(fetches).toBe(1)
  })

  test('missing keys, weak keys and secrets in it are refused', async () => {
    const known = await createKey('known')
    const secret = { kty: 'oct', kid: 'secret', k: 'A'.repeat(43) }
    const weak = await crypto.subtle.generateKey(
      {
        name: 'RSASSA-PKCS1-v1_5',
        modulusLength: 1024,
        publicExponent: Uint8Array.of(1, 0, 1),
        hash: 'SHA-256',
      },
      true,
      ['sign', 'verify'],
    )
    const weakJwk = { ...(await crypto.subtle.exportKey('jwk', weak.publicKey)), kid: 'weak', alg: 'RS256' }
    await using server = await serve(() => Response.json({ keys: [known.jwk, secret, weakJwk] }))
    const keys = await importVerificationKey({ kind: 'jwks', url: server.origin }, patient)
    const unknown = (await createKey('unknown')).key
    const verify = async (token: string) =>
      verifyPayload(token, { keys, audience }).catch((error: unknown) => error)
    expect(await verify(await signPayload(payload, unknown, { audience }))).toMatchObject({
      code: 'ERR_PAYLOAD_KEY',
    })
    const hmac = await signPayload(payload, { kind: 'secret', secret: secret.k, kid: 'secret' }, { audience })
    expect(await verify(hmac)).toMatchObject({ code: 'ERR_PAYLOAD_ALGORITHM' })
    const impostor = await signPayload(payload, { ...unknown, keyId: 'known' }, { audience })
    expect(await verify(impostor)).toMatchObject({ code: 'ERR_PAYLOAD_SIGNATURE' })
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'weak' })).toString('base64url')
    const input = `${header}.${impostor.split('.')[1]}`
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', weak.privateKey, Buffer.from(input))
    const token = `${input}.${Buffer.from(signature).toString('base64url')}`
    expect(await verify(token)).toMatchObject({ code: 'ERR_PAYLOAD_KEY' })
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['an empty exponent', { e: '' }, 'member e is'],
    ['the exponent 1', { e: 'AQ' }, 'exponent'],
    ['a modulus that is no text', { n: 7 }, 'member n is'],
    ['no modulus', { n: undefined }, 'its member n is missing'],
  ])(
    'an RSA key of it with %s is skipped and refused by its name; the others count',
    async (_name, bad, problem) => {
      const good = await createKey('good')
      const old = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'old', ...bad }
      await using server = await serve(() => Response.json({ keys: [good.jwk, old] }))
      const keys = await importVerificationKey({ kind: 'jwks', url: server.origin }, patient)
      const token = await signPayload(payload, good.key, { audience })
      expect((await verifyPayload(token, { keys, audience })).algorithm).toBe('ES256')
      const pem = String(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }))
      const oldToken = await signPayload(payload, { kind: 'pkcs8', pem, kid: 'old' }, { audience })
      const refusal = await verifyPayload(oldToken, { keys, audience }).catch((error: unknown) => error)
      expect(refusal).toMatchObject({ code: 'ERR_PAYLOAD_KEY', status: 401 })
      expect(String(refusal)).toContain(`The key of the header’s kid cannot be used: `)
      expect(String(refusal)).toContain(problem)
    },
  )

  test.each([
    ['does not answer', () => new Promise<Response>(() => undefined)],
    ['is no key set', () => Response.json({ hello: 'world' })],
    ['fails', () => new Response(null, { status: 500 })],
  ])('one that %s is unavailable, which is worth a retry', async (_name, answer) => {
    await using server = await serve(answer)
    const keys = await importVerificationKey({ kind: 'jwks', url: server.origin }, { keySetTimeoutMs: 50 })
    const token = await signPayload(payload, (await createKey('any')).key, { audience })
    await expect(verifyPayload(token, { keys, audience })).rejects.toMatchObject({
      code: 'ERR_UNAVAILABLE',
      status: 503,
    })
  })

  test.each([
    ['is reachable', true],
    ['is not', false],
  ])(
    'a key registered beside one that %s verifies in either order, without a request for the set',
    async (_name, isReachable) => {
      const [own, published, unknown] = [
        await createKey('own'),
        await createKey('published'),
        await createKey('x'),
      ]
      let fetches = 0
      await using server = await serve(() => {
        fetches++
        return isReachable ? Response.json({ keys: [published.jwk] }) : new Response('{}', { status: 500 })
      })
      // Registered without a kid: the token's kid names no key, so all may be tried.
      const { kid: _kid, ...jwk } = own.jwk
      const sources: VerificationKeySource[] = [
        { kind: 'jwks', url: server.origin },
        { kind: 'jwk', jwk },
      ]
      for (const order of [sources, sources.toReversed()]) {
        const keys = await Promise.all(order.map(source => importVerificationKey(source, patient)))
        const verify = async (key: SigningKey) =>
          verifyPayload(await signPayload(payload, key, { audience }), { keys, audience })
        fetches = 0
        expect((await verify(own.key)).key.kind).toBe('jwk')
        expect(fetches).toBe(0)
        if (isReachable) expect((await verify(published.key)).key.kind).toBe('jwks')
        const code = isReachable ? 'ERR_PAYLOAD_KEY' : 'ERR_UNAVAILABLE'
        await expect(verify(unknown.key)).rejects.toMatchObject({ code })
      }
    },
  )
})

describe('[5.1-asymmetric] the request for a key set', () => {
  test('does not follow a redirect', async () => {
    const key = await createKey('known')
    let elsewhere = 0
    await using other = await serve(() => {
      elsewhere++
      return Response.json({ keys: [key.jwk] })
    })
    await using server = await serve(() => Response.redirect(other.origin, 302))
    const keys = await importVerificationKey({ kind: 'jwks', url: server.origin }, patient)
    const token = await signPayload(payload, key.key, { audience })
    await expect(verifyPayload(token, { keys, audience })).rejects.toThrow('it redirects')
    expect(elsewhere).toBe(0)
  })

  test.each<[string, (jwk: object) => Response, string]>([
    ['has 65 keys', jwk => Response.json({ keys: Array(65).fill(jwk) }), 'more than 64 keys'],
    [
      'is larger than 512 KiB',
      jwk => Response.json({ keys: [jwk], filling: 'a'.repeat(512 * 1024) }),
      'larger than 524288 bytes',
    ],
    ['is a bomb of brackets', () => new Response('['.repeat(500_000)), 'not a JSON Web Key Set'],
    ['is a list', jwk => Response.json([jwk]), 'not a JSON Web Key Set'],
    ['is empty', () => new Response(''), 'not a JSON Web Key Set'],
  ])('rejects a set that %s', async (_name, answer, words) => {
    const { jwk, key } = await createKey('known')
    await using server = await serve(() => answer(jwk))
    const keys = await importVerificationKey({ kind: 'jwks', url: server.origin }, patient)
    const token = await signPayload(payload, key, { audience })
    await expect(verifyPayload(token, { keys, audience })).rejects.toThrow(words)
  })

  test('takes a set of exactly 512 KiB', async () => {
    const { jwk, key } = await createKey('known')
    const set = JSON.stringify({ keys: [jwk] })
    const fetch = async () => new Response(set.padEnd(512 * 1024))
    const keys = await importVerificationKey({ kind: 'jwks', url: 'https://partner.example/keys' }, { fetch })
    const token = await signPayload(payload, key, { audience })
    await expect(verifyPayload(token, { keys, audience })).resolves.toBeDefined()
  })

  test('goes on for the others when one caller gives up', async () => {
    const known = await createKey('known')
    const token = await signPayload(payload, known.key, { audience })
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()]
    await using server = await serve(() => {
      asked.resolve()
      return gate.promise
    })
    const keys = await importVerificationKey({ kind: 'jwks', url: server.origin }, patient)
    const stop = new AbortController()
    const one = verifyPayload(token, { keys, audience, signal: stop.signal })
    const other = verifyPayload(token, { keys, audience })
    await asked.promise
    stop.abort(new RangeError('enough'))
    await expect(one).rejects.toThrow('enough')
    gate.resolve(Response.json({ keys: [known.jwk] }))
    await expect(other).resolves.toBeDefined()
    await expect(verifyPayload(token, { keys, audience, signal: stop.signal })).rejects.toThrow('enough')
  })

  test('unusable keys do not block a good one of the same kid, nor does one without a kid', async () => {
    const { jwk, key } = await createKey('known')
    const { kid: _kid, ...nameless } = jwk
    const poison = [
      { kty: 'oct', k: 'AAAA', kid: 'known' },
      { ...jwk, x: 'AAAA' },
      { ...jwk, use: 'enc' },
      { ...jwk, kid: 17 },
      { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'known', alg: 'RS256' },
      { kty: 'new', kid: 'known' },
      null,
      'text',
      [],
    ]
    for (const last of [jwk, nameless]) {
      await using server = await serve(() => Response.json({ keys: [...poison, last] }))
      const keys = await importVerificationKey({ kind: 'jwks', url: server.origin, kid: 'set' }, patient)
      // Named by its thumbprint, by its kid where it has one, by the set's name, and not at all.
      const thumbprint = await calculateJwkThumbprint(jwk)
      for (const keyId of [thumbprint, ...(last === jwk ? ['known'] : []), 'set', undefined]) {
        const token = await signPayload(payload, { ...key, keyId }, { audience, issuer })
        await expect(verifyPayload(token, { keys, audience })).resolves.toBeDefined()
      }
      const token = await signPayload(payload, { ...key, keyId: 'unknown' }, { audience })
      await expect(verifyPayload(token, { keys, audience })).rejects.toThrow('such as weak ones: 9')
    }
  })

  test('ends in time even when the given fetch ignores its signal', async () => {
    const token = await signPayload(payload, (await createKey('any')).key, { audience })
    const never = new Promise<Response>(() => undefined)
    const endless = new ReadableStream<Uint8Array>({})
    for (const fetch of [() => never, async () => new Response(endless)]) {
      const source = { kind: 'jwks', url: 'https://partner.example/keys' } as const
      const keys = await importVerificationKey(source, { keySetTimeoutMs: 20, fetch })
      await expect(verifyPayload(token, { keys, audience })).rejects.toThrow('not there within 20 ms')
    }
  })

  test.each(['https://user:secret@partner.example/keys', 'https://user@partner.example/keys'])(
    'has no credentials in its address: %s',
    async url => {
      const error = await importVerificationKey({ kind: 'jwks', url }).catch((failure: unknown) => failure)
      expect(error).toMatchObject({ code: 'ERR_KEY_IMPORT' })
      expect(String(error)).not.toContain('secret')
    },
  )
})

describe('[5.1-asymmetric] forgeries for a partner that publishes a key set', () => {
  afterEach(() => void vi.restoreAllMocks())

  /** Posts forged tokens with these headers’ kids, and counts the work that they cause. */
  async function workFor(kids: readonly (string | undefined)[]) {
    let requests = 0
    const own = await createKey('0')
    const jwks = Array.from({ length: 64 }, (_value, index) => ({ ...own.jwk, kid: `${index}` }))
    const fetch = async () => {
      requests++
      return Response.json({ keys: jwks })
    }
    const keys = await importVerificationKey({ kind: 'jwks', url: 'https://partner.example/keys' }, { fetch })
    const { key } = await createKey('attacker')
    const tokens = await Promise.all(
      kids.map(keyId => signPayload(payload, { ...key, keyId }, { audience, issuer })),
    )
    const verifications = countVerifications()
    const forged = await Promise.allSettled(tokens.map(token => verifyPayload(token, { keys, audience })))
    const work = {
      refused: forged.filter(({ status }) => status === 'rejected').length,
      verifications: verifications(),
    }
    await expect(
      verifyPayload(await signPayload(payload, own.key, { audience }), { keys, audience }),
    ).resolves.toBeDefined()
    return { ...work, requests }
  }

  test('made-up kids cause one request and no signature check, and the partner’s own tokens pass', async () => {
    const kids = Array.from({ length: 50 }, (_value, index) => `key-${index}`)
    expect(await workFor(kids)).toEqual({ refused: 50, verifications: 0, requests: 1 })
  })

  test('a token without a kid is tried once with each key', async () => {
    expect(await workFor([undefined])).toEqual({ refused: 1, verifications: 64, requests: 1 })
  })
})

async function createKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key: SigningKey = {
    kind: 'pkcs8',
    keyId: kid,
    thumbprint: undefined,
    algorithm: 'ES256',
    material: privateKey,
  }
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' }, key }
}
