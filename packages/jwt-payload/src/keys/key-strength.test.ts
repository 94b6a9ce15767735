import { generateKeyPairSync, generatePrimeSync, type KeyObject, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import 'reflect-metadata/lite'
import { PublicKey, X509CertificateGenerator } from '@peculiar/x509'
import { KeyImportError } from '../errors/key-errors.ts'
import { importVerificationKey } from './import-verification-key.ts'
import { importSigningKey } from './signing-key.ts'
import type { VerificationKeySource } from './verification-key.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const rsaJwk = { ...rsa.publicKey.export({ format: 'jwk' }), kty: 'RSA' }
const spki = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }))
const ed25519 = (hex: string): VerificationKeySource => ({
  kind: 'jwk',
  jwk: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(hex, 'hex').toString('base64url') },
})

const p = (1n << 255n) - 19n

/** Every encoding of a point of small order, without its sign (RFC 8032, 5.1.3). */
const smallOrder = [
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]

/** Beside those of the vectors, `registration-…`. */
const weak: readonly (readonly [string, VerificationKeySource, string])[] = [
  [
    'RSA of 2047 bits',
    publicKeyOf(generateKeyPairSync('rsa', { modulusLength: 2047 })),
    'needs at least 2048',
  ],
  ['RSA of 8193 bits', { kind: 'jwk', jwk: { ...rsaJwk, n: base64url((1n << 8192n) + 1n) } }, 'at most 8192'],
  ['RSA of 8192 bits', { kind: 'jwk', jwk: { ...rsaJwk, n: base64url((1n << 8191n) + 1n) } }, 'small factor'],
  ...['Ag', 'EQ', 'AQAC', 'AAAB'.repeat(100)].map(
    e =>
      [`RSA with the exponent ${e.slice(0, 4)}`, { kind: 'jwk', jwk: { ...rsaJwk, e } }, 'exponent'] as const,
  ),
  ...['', 'AQAB ', '+QAB', 'AQABA', 'AQABAB'].map(
    e =>
      [
        `RSA with the exponent ${JSON.stringify(e)}`,
        { kind: 'jwk', jwk: { ...rsaJwk, e } },
        'member e',
      ] as const,
  ),
  [
    'RSA with a modulus that 3 divides',
    { kind: 'jwk', jwk: { ...rsaJwk, n: base64url(3n * prime(1024) * prime(1024)) } },
    'small factor',
  ],
  ...[p, p + 3n, p + 18n].map(
    y => [`Ed25519 with a y that is ${y - p} above p`, ed25519(littleEndian(y)), 'out of range'] as const,
  ),
  ...smallOrder
    .flatMap(hex => [hex, `${hex.slice(0, 62)}${(Number.parseInt(hex.slice(62), 16) | 0x80).toString(16)}`])
    .map(hex => [`Ed25519 of small order, ${hex.slice(0, 4)}…${hex.slice(62)}`, ed25519(hex), ''] as const),
  ['EC on secp256k1', publicKeyOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })), 'curve'],
  ['ed448', publicKeyOf(generateKeyPairSync('ed448')), 'neither RSA'],
  ['x25519', publicKeyOf(generateKeyPairSync('x25519')), 'neither RSA'],
  ['rsa-pss', publicKeyOf(generateKeyPairSync('rsa-pss', { modulusLength: 2048 })), 'bound to RSASSA-PSS'],
  ['a JWK without members', { kind: 'jwk', jwk: { kty: 'RSA' } }, 'missing'],
  ...['constructor', '__proto__', 'toString'].map(
    kty => [`a JWK of the type ${kty}`, { kind: 'jwk', jwk: { kty } }, 'kty'] as const,
  ),
  ['a JWK whose key_ops are no list', { kind: 'jwk', jwk: JSON.parse('{"kty":"RSA","key_ops":7}') }, ''],
]

describe('[5.1-asymmetric] a weak key is refused at registration', () => {
  test.each(weak)('%s', async (_name, source, words) => {
    const error = await importVerificationKey(source).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(KeyImportError)
    expect(String(error)).toContain(words)
  })

  test('a weak RSA key is named by its thumbprint, for verifying and signing', async () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kty: 'RSA' }
    const pem = String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const errors = await Promise.all([
      importVerificationKey({ kind: 'spki', pem: spki(pair.publicKey) }).catch((error: unknown) => error),
      importVerificationKey({ kind: 'jwk', jwk }).catch((error: unknown) => error),
      importSigningKey({ kind: 'pkcs8', pem }).catch((error: unknown) => error),
    ])
    const [thumbprint] = errors.map(error => (error instanceof KeyImportError ? error.thumbprint : ''))
    expect(thumbprint).toMatch(/^[\w-]{43}$/)
    for (const error of errors) {
      expect(error).toMatchObject({ thumbprint })
      expect(String(error)).toContain(`RFC 7638 thumbprint ${thumbprint},`)
      expect(String(error)).not.toContain(jwk.n)
    }
  })

  test.each([
    ['RSA of 1,024 bits', generateKeyPairSync('rsa', { modulusLength: 1024 }), '1024 bits'],
    ['a curve that is none of ours', generateKeyPairSync('ec', { namedCurve: 'secp256k1' }), 'curve is not'],
    ['a key that cannot sign', generateKeyPairSync('x25519'), 'neither RSA, nor EC'],
  ])('a certificate of %s is named by its thumbprints', async (_name, { publicKey }, words) => {
    const pem = await certificateOf(publicKey)
    const { fingerprint256, fingerprint } = new X509Certificate(pem)
    const error = await importVerificationKey({ kind: 'x509', pem }, { validity: 'use' }).catch(
      (failure: unknown) => failure,
    )
    expect(error).toBeInstanceOf(KeyImportError)
    expect(String(error)).toContain(words)
    expect(String(error)).toContain(fingerprint256.replaceAll(':', ''))
    expect(String(error)).toContain(fingerprint.replaceAll(':', ''))
    expect(error).toMatchObject({ certificate: { thumbprint: fingerprint256.replaceAll(':', '') } })
    expect(error).not.toHaveProperty('certificate.spki')
  })

  test('the refusal of a short secret states its length only', async () => {
    const secret = Buffer.alloc(31, 7)
    const error = await importVerificationKey({ kind: 'secret', secret }).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ thumbprint: undefined, certificate: undefined })
    expect(String(error)).not.toContain('humbprint')
  })

  test.each(['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const)(
    'a private key whose member %s is no base64url text cannot sign',
    async member => {
      const own = rsa.privateKey.export({ format: 'jwk' })
      const jwk = { ...own, kty: 'RSA', [member]: `${own[member]}=` }
      await expect(importSigningKey({ kind: 'jwk', jwk })).rejects.toThrow(`member ${member} `)
    },
  )

  test.each([
    [32, ['HS256']],
    [47, ['HS256']],
    [48, ['HS256', 'HS384']],
    [63, ['HS256', 'HS384']],
    [64, ['HS256', 'HS384', 'HS512']],
  ] as const)(
    'a secret of %i bytes takes %j: no algorithm with a longer digest',
    async (length, algorithms) => {
      const secret = new Uint8Array(length).fill(7)
      expect((await importVerificationKey({ kind: 'secret', secret })).algorithms).toEqual(algorithms)
      for (const algorithm of ['HS256', 'HS384', 'HS512'] as const) {
        const sources = {
          verify: { kind: 'secret', secret, algorithms: [algorithm] },
          sign: { kind: 'secret', secret, algorithm },
        } as const
        const imported = [importVerificationKey(sources.verify), importSigningKey(sources.sign)]
        const needed = `${algorithm} needs at least ${Number(algorithm.slice(2)) / 8} bytes`
        for (const key of imported)
          if (algorithms.some(allowed => allowed === algorithm)) await expect(key).resolves.toBeDefined()
          else await expect(key).rejects.toThrow(needed)
      }
    },
  )
})

function publicKeyOf({ publicKey }: { readonly publicKey: KeyObject }): VerificationKeySource {
  return { kind: 'spki', pem: spki(publicKey) }
}

/** A certificate signed by another key. The signer does not matter. */
async function certificateOf(publicKey: KeyObject): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=Test partner',
    issuer: 'CN=Another',
    publicKey: new PublicKey(publicKey.export({ type: 'spki', format: 'der' })),
    signingKey: privateKey,
    signingAlgorithm: algorithm,
    notBefore: new Date('2026-01-01T00:00:00Z'),
    notAfter: new Date('2046-01-01T00:00:00Z'),
  })
  return certificate.toString('pem')
}

function prime(bits: number): bigint {
  return generatePrimeSync(bits, { bigint: true })
}

function base64url(value: bigint): string {
  const hex = value.toString(16)
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url')
}

function littleEndian(y: bigint): string {
  return Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')
}
