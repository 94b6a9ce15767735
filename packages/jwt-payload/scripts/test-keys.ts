import { base64url, exportJWK, exportPKCS8, exportSPKI, generateKeyPair } from 'jose'
import { z } from 'zod'
import { decodePem } from '../src/keys/der.ts'
import { writeCertificate } from './test-certificate.ts'

/** Keys of the vectors: what a partner registers, and where it is needed what signs. For tests only; anybody has them. */
export async function generateTestKeys(): Promise<Record<string, Record<string, unknown>>> {
  const rsa = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 })
  const other = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 })
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
  const rsaSpki = await exportSPKI(rsa.publicKey)
  const rsaPrivate = await exportPKCS8(rsa.privateKey)
  const certificate = async (serialNumber: number, notBefore: string, notAfter: string, pair = rsa) =>
    writeCertificate({
      spki: decodePem(await exportSPKI(pair.publicKey), 'PUBLIC KEY', 'spki'),
      signingKey: pair.privateKey,
      commonName: 'Test partner',
      serialNumber,
      notBefore,
      notAfter,
    })
  const keys: Record<string, Record<string, unknown>> = {
    rsa: { kind: 'spki', kid: 'rsa', pem: rsaSpki, privatePem: rsaPrivate },
    certificate: {
      kind: 'x509',
      kid: 'certificate',
      pem: await certificate(1, '2026-01-01T00:00:00Z', '2055-01-01T00:00:00Z'),
      privatePem: rsaPrivate,
    },
    expiredCertificate: {
      kind: 'x509',
      kid: 'expired-certificate',
      pem: await certificate(2, '2024-01-01T00:00:00Z', '2026-01-01T00:00:00Z'),
      privatePem: rsaPrivate,
    },
    futureCertificate: {
      kind: 'x509',
      kid: 'future-certificate',
      pem: await certificate(3, '2027-01-01T00:00:00Z', '2029-01-01T00:00:00Z'),
      privatePem: rsaPrivate,
    },
    otherRsa: {
      kind: 'spki',
      kid: 'other-rsa',
      pem: await exportSPKI(other.publicKey),
      privatePem: await exportPKCS8(other.privateKey),
    },
    otherCertificate: {
      kind: 'x509',
      kid: 'other-certificate',
      pem: await certificate(4, '2026-01-01T00:00:00Z', '2055-01-01T00:00:00Z', other),
    },
    weakRsa: { kind: 'spki', kid: 'weak-rsa', pem: await exportSPKI(weak.publicKey) },
    secret: { kind: 'secret', kid: 'secret', secret: randomText(32) },
    otherSecret: { kind: 'secret', kid: 'other-secret', secret: randomText(48) },
    longSecret: { kind: 'secret', kid: 'long-secret', secret: randomText(64) },
    shortSecret: { kind: 'secret', kid: 'short-secret', secret: randomText(31) },
    secretInJwk: { kind: 'jwk', jwk: { kty: 'oct', k: randomText(32) } },
    pemAsSecret: { kind: 'secret', secret: base64url.encode(rsaSpki) },
    privateKeyAsPublic: { kind: 'spki', pem: rsaPrivate },
  }
  for (const [name, algorithm] of [
    ['p256', 'ES256'],
    ['p384', 'ES384'],
    ['p521', 'ES512'],
    ['ed25519', 'EdDSA'],
  ] as const) {
    const pair = await generateKeyPair(algorithm, { extractable: true })
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: name }
    keys[name] = { kind: 'jwk', jwk, privatePem: await exportPKCS8(pair.privateKey) }
  }
  keys.privateJwk = {
    kind: 'jwk',
    jwk: await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey),
  }
  return keys
}

/** Keys that are the same each time: nobody needs their private parts. */
export const weakKeys: Record<string, Record<string, unknown>> = Object.fromEntries([
  ...[
    ['exponentOne', 'AQ'],
    ['exponentThree', 'Aw'],
    ['evenExponent', 'AQAC'],
  ].map(([name, e]) => [name, { kind: 'jwk', jwk: { kty: 'RSA', n: base64url.encode(modulus()), e } }]),
  ...[
    ['evenModulus', modulus(0xa4)],
    ['rocaModulus', rocaModulus()],
  ].map(([name, n]) => [name, { kind: 'jwk', jwk: { kty: 'RSA', n: base64url.encode(n ?? ''), e: 'AQAB' } }]),
  ['paddedExponent', { kind: 'jwk', jwk: { kty: 'RSA', n: base64url.encode(modulus(0x13)), e: 'AQAB==' } }],
  [
    'operationTwice',
    {
      kind: 'jwk',
      jwk: { kty: 'OKP', crv: 'Ed25519', x: `CQ${'A'.repeat(41)}`, key_ops: ['verify', 'verify'] },
    },
  ],
  // Its y is 2^255 - 16; the prime of the curve is 2^255 - 19.
  ['outOfRangeEd25519', { kind: 'jwk', jwk: { kty: 'OKP', crv: 'Ed25519', x: `8P${'_'.repeat(39)}38` } }],
  ['smallOrderEd25519', { kind: 'jwk', jwk: { kty: 'OKP', crv: 'Ed25519', x: `AQ${'A'.repeat(41)}` } }],
])

/** Keys of the vectors under which nothing else is registered than the key: they have no `kid`. */
export function withoutKid(
  keys: Record<string, Record<string, unknown>>,
): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    [
      ['rsa', 'unnamedRsa'],
      ['certificate', 'unnamedCertificate'],
      ['p256', 'unnamedP256'],
      ['ed25519', 'unnamedEd25519'],
      ['secret', 'unnamedSecret'],
    ].map(([name = '', unnamed = '']) => {
      const { kid: _kid, ...key } = keys[name] ?? {}
      const jwk = z.looseObject({}).safeParse(key.jwk).data
      if (!jwk) return [unnamed, key]
      const { kid: _jwkKid, ...members } = jwk
      return [unnamed, { ...key, jwk: members }]
    }),
  )
}

/** 2,048 bits. Whether it has two prime factors does not matter: something else is refused. With 0x13 it has no small one. */
function modulus(lastByte = 0xa5): Uint8Array {
  return new Uint8Array(256).fill(0xa5).fill(lastByte, 255)
}

/** 2,048 bits, which are a power of 65537 modulo each prime to 167: the fingerprint of ROCA. */
function rocaModulus(): Uint8Array {
  let product = 2n
  for (let number = 3n; number <= 167n; number += 2n)
    if (greatestCommonDivisor(product, number) === 1n) product *= number
  const least = 1n << 2047n
  const value = least - (least % product) + product + (65_537n ** 100n % product)
  return Uint8Array.from(value.toString(16).match(/../g) ?? [], byte => Number.parseInt(byte, 16))
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b)
}

function randomText(bytes: number): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(bytes)))
}
