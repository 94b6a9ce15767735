import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  importVerificationKey,
  type SigningKey,
  signPayload,
  type VerificationKeySource,
  verifyPayload,
} from '../src/index.ts'
import { url as audience, payload } from './_receiver.ts'
import { serve } from './_server.ts'

/** For servers that answer: on a busy machine their answer may take longer than the default. */
const patient = { keySetTimeoutMs: 60_000 }

describe('[5.1-asymmetric] a key set that the partner publishes', () => {
  test('is fetched once for any number of tokens, and verifies each of its keys, with and without kid', async () => {
    const [first, second] = [await createKey('first'), await createKey('second')]
    let fetches = 0
    await using server = await serve(() => {
      fetches++
      return Response.json({ keys: [first.jwk, second.jwk] })
    })
    const keys = await importVerificationKey({ kind: 'jwks', url: server.origin }, patient)
    expect(fetches).toBe(0)
    for (const key of [first.key, second.key, { ...second.key, keyId: undefined }]) {
      const token = await signPayload(payload, key, { audience })
      expect((await verifyPayload(token, { keys, audience })).algorithm).toBe('ES256')
    }
    expect(fetches).toBe(1)
  })

  test('a key that is not in it, a weak key in it, and a secret in it are refused', async () => {
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
    'a key registered beside one that %s verifies in either order, without the set being asked',
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
      // Registered without a kid: the token's kid names no key, so that all may be tried.
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
        // A key is bound to its algorithms: the text of the public key is no secret.
        const confused = { kind: 'secret', secret: Buffer.from(JSON.stringify(jwk)) } as const
        await expect(
          signPayload(payload, confused, { audience }).then(token =>
            verifyPayload(token, { keys, audience }),
          ),
        ).rejects.toMatchObject({ code: 'ERR_PAYLOAD_ALGORITHM' })
      }
    },
  )

  test('of two sets the one that holds the key counts, and one that cannot be fetched is worth a retry', async () => {
    const [first, second, unknown] = [
      await createKey('first'),
      await createKey('second'),
      await createKey('x'),
    ]
    await using one = await serve(() => Response.json({ keys: [first.jwk] }))
    await using two = await serve(() => Response.json({ keys: [second.jwk] }))
    await using broken = await serve(() => new Response(null, { status: 500 }))
    const verify = async (key: SigningKey, ...servers: readonly { readonly origin: string }[]) =>
      verifyPayload(await signPayload(payload, key, { audience }), {
        keys: await Promise.all(
          servers.map(({ origin }) => importVerificationKey({ kind: 'jwks', url: origin }, patient)),
        ),
        audience,
      })
    for (const servers of [
      [one, two],
      [broken, two],
      [two, broken],
    ])
      expect((await verify(second.key, ...servers)).algorithm).toBe('ES256')
    for (const servers of [
      [one, broken],
      [broken, one],
    ])
      await expect(verify(unknown.key, ...servers)).rejects.toMatchObject({ code: 'ERR_UNAVAILABLE' })
  })
})

async function createKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key: SigningKey = { kind: 'pkcs8', keyId: kid, thumbprint: undefined, algorithm: 'ES256', material: privateKey }
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' }, key }
}
