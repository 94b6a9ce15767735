import { createHash, generateKeyPairSync } from 'node:crypto'
import { registeredKey, signingKey } from '@service-link/test-kit/payload-vectors'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { signPayload } from '../sign/sign-payload.ts'
import { verifyPayload } from '../verify/verify-payload.ts'
import { importVerificationKey } from './import-verification-key.ts'
import { importSigningKey } from './signing-key.ts'
import type { VerificationKeySource } from './verification-key.ts'

const clock = () => new Date('2026-06-01T12:00:00Z')
const audience = 'https://sso.example/partner/payload'
const payload = { organizationId: 'o', employeeId: 'e', contact: { id: 'c' } }

/** RFC 7638, 3.1. */
const rfcExample = {
  kty: 'RSA',
  n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
  e: 'AQAB',
}

describe('a key without a kid is named by its RFC 7638 thumbprint', () => {
  test('equals the example of the RFC, for any other members of the JWK', async () => {
    const jwk = { ...rfcExample, alg: 'RS256', use: 'sig', x5t: 'other' }
    const key = await importVerificationKey({ kind: 'jwk', jwk })
    expect(key.thumbprint).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
    expect(key.keyId).toBe(key.thumbprint)
  })

  test.each(['rsa', 'certificate', 'p256', 'p384', 'p521', 'ed25519'])(
    'for %s both sides compute the same one, and it finds the key among others',
    async name => {
      const key = await importSigningKey(unnamed(signingKey(name)))
      const registered = await importVerificationKey(unnamed(registeredKey(name)), { clock })
      const others = await Promise.all(
        ['otherRsa', 'secret'].map(other => importVerificationKey(registeredKey(other))),
      )
      expect(key.keyId).toMatch(/^[\w-]{43}$/)
      expect([key.thumbprint, registered.keyId, registered.thumbprint]).toEqual(Array(3).fill(key.keyId))
      const token = await signPayload(payload, key, { audience, clock })
      expect(decodeProtectedHeader(token).kid).toBe(key.keyId)
      const verified = await verifyPayload(token, { keys: [...others, registered], audience, clock })
      expect(verified.key).toBe(registered)
    },
  )

  test('a given kid comes first, and the thumbprint still finds the key', async () => {
    const named = await importSigningKey(signingKey('rsa'))
    expect([named.keyId, named.thumbprint]).toEqual(['rsa', expect.stringMatching(/^[\w-]{43}$/)])
    const registered = await importVerificationKey(registeredKey('rsa'))
    expect(registered.keyId).toBe('rsa')
    const other = await importVerificationKey(registeredKey('otherRsa'))
    const token = await signPayload(payload, unnamed(signingKey('rsa')), { audience, clock })
    expect((await verifyPayload(token, { keys: [other, registered], audience, clock })).key).toBe(registered)
  })

  test('private JWK, PKCS#8, SPKI and public JWK of one key share a thumbprint, in any number format', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = { ...privateKey.export({ format: 'jwk' }), kty: 'RSA' }
    const padded = { kty: 'RSA', n: jwk.n ?? '', e: 'AAEAAQ' }
    const signing = await Promise.all([
      importSigningKey({ kind: 'jwk', jwk }),
      importSigningKey({ kind: 'pkcs8', pem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }),
    ])
    const verifying = await Promise.all(
      [
        { kind: 'spki', pem: String(publicKey.export({ type: 'spki', format: 'pem' })) } as const,
        { kind: 'jwk', jwk: padded } as const,
      ].map(source => importVerificationKey(source)),
    )
    const canonical = createHash('sha256').update(JSON.stringify({ e: jwk.e, kty: 'RSA', n: jwk.n }))
    const thumbprint = canonical.digest('base64url')
    expect([...signing, ...verifying].map(key => key.thumbprint)).toEqual(Array(4).fill(thumbprint))
  })

  test('a secret has none, so no kid is derived from it', async () => {
    const source = unnamed(signingKey('secret'))
    const key = await importSigningKey(source)
    expect([key.keyId, key.thumbprint]).toEqual([undefined, undefined])
    const registered = await importVerificationKey(unnamed(registeredKey('secret')))
    expect([registered.keyId, registered.thumbprint]).toEqual([undefined, undefined])
    const token = await signPayload(payload, source, { audience, clock, issuer: 'https://partner.example' })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' })
    await expect(verifyPayload(token, { keys: registered, audience, clock })).resolves.toBeDefined()
  })

  test('signing keys cannot be exported from WebCrypto', async () => {
    for (const name of ['rsa', 'p256', 'ed25519', 'secret'])
      expect((await importSigningKey(unnamed(signingKey(name)))).material.extractable).toBe(false)
  })
})

/** The source without its kid, which a JWK may hold too. */
function unnamed<Source extends { readonly kid?: string | undefined } | VerificationKeySource>(
  source: Source,
): Source {
  if (!('jwk' in source)) return { ...source, kid: undefined }
  const { kid: _kid, ...jwk } = source.jwk
  return { ...source, kid: undefined, jwk }
}
