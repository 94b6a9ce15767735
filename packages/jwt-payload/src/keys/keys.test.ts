import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { keyText, registeredKey, signingKey } from '@service-link/test-kit/payload-vectors'
import { describe, expect, test } from 'vitest'
import { CertificateValidityError, KeyImportError } from '../errors/key-errors.ts'
import { signPayload } from '../sign/sign-payload.ts'
import { readValidity } from './certificate.ts'
import { findKey } from './find-keys.ts'
import { importVerificationKey } from './import-verification-key.ts'
import { encodePem } from './key-content.ts'
import { readSecret } from './secret.ts'
import { importSigningKey } from './signing-key.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

const clock = () => new Date('2026-06-01T12:00:00Z')

describe('importVerificationKey', () => {
  test.each([
    ['rsa', ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']],
    ['certificate', ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']],
    ['p256', ['ES256']],
    ['p384', ['ES384']],
    ['p521', ['ES512']],
    ['ed25519', ['EdDSA']],
    ['secret', ['HS256']],
  ])('[5.1-asymmetric] the type of the key %s decides its algorithms', async (name, algorithms) => {
    const key = await importVerificationKey(registeredKey(name), { clock })
    expect(key.algorithms).toEqual(algorithms)
    expect(key.keyId).toBe(name)
  })

  test('a registration can narrow the algorithms, not widen them', async () => {
    const narrowed = await importVerificationKey({ ...registeredKey('rsa'), algorithms: ['PS512', 'HS256'] })
    expect(narrowed.algorithms).toEqual(['PS512'])
    await expect(
      importVerificationKey({ ...registeredKey('rsa'), algorithms: ['HS256'] }),
    ).rejects.toBeInstanceOf(KeyImportError)
  })

  test('a JWK’s own alg, use and key_ops count', async () => {
    const jwk = rsa.publicKey.export({ format: 'jwk' })
    const base = { ...jwk, kty: 'RSA', kid: 'own' }
    const key = await importVerificationKey({ kind: 'jwk', jwk: { ...base, alg: 'PS256' } })
    expect([key.algorithms, key.keyId]).toEqual([['PS256'], 'own'])
    for (const members of [{ use: 'enc' }, { key_ops: ['encrypt'] }, { alg: 'RSA-OAEP' }])
      await expect(
        importVerificationKey({ kind: 'jwk', jwk: { ...base, ...members } }),
      ).rejects.toBeInstanceOf(KeyImportError)
  })

  test.each([
    ['expiredCertificate', 'expired at 2026-01-01T00:00:00Z'],
    ['futureCertificate', 'is not valid before 2027-01-01T00:00:00Z'],
  ])('the %s is refused with its thumbprint, unless its validity counts at use', async (name, words) => {
    const { fingerprint256, fingerprint } = new X509Certificate(keyText(name, 'pem'))
    const error = await importVerificationKey(registeredKey(name), { clock }).catch(
      (failure: unknown) => failure,
    )
    expect(error).toBeInstanceOf(CertificateValidityError)
    const message = error instanceof CertificateValidityError ? error.message : ''
    expect(message).toContain(words)
    expect(message).toContain(fingerprint256.replaceAll(':', ''))
    expect(message).toContain(fingerprint.replaceAll(':', ''))
    const kept = await importVerificationKey(registeredKey(name), { clock, validity: 'use' })
    expect(kept.certificate?.thumbprint).toBe(fingerprint256.replaceAll(':', ''))
  })

  test('a PEM whose line breaks are two characters is told, to verify and to sign', async () => {
    const oneLine = (label: string) => encodePem(new Uint8Array(64), label).replaceAll('\n', '\\n')
    const remedy =
      "its line breaks are the two characters \\n, as some environment files write them; give it as pem.replaceAll('\\\\n', '\\n')"
    const verifying = { kind: 'spki', pem: oneLine('PUBLIC KEY') } as const
    await expect(importVerificationKey(verifying)).rejects.toThrow(remedy)
    const signing = { kind: 'pkcs8', pem: oneLine('PRIVATE KEY') } as const
    await expect(importSigningKey(signing)).rejects.toThrow(remedy)
  })

  test('a key of the other side is told, whatever its kind', async () => {
    const pem = keyText('rsa', 'pem')
    const verifying = await importVerificationKey({ kind: 'spki', pem })
    for (const source of [{ kind: 'pkcs8', pem }, { kind: 'spki', pem }, verifying])
      await expect(Reflect.apply(importSigningKey, undefined, [source])).rejects.toThrow(
        'which cannot sign; give the private key',
      )
    const secretKey = await importVerificationKey(registeredKey('secret'))
    await expect(Reflect.apply(importSigningKey, undefined, [secretKey])).rejects.toThrow(
      'it is a key of importVerificationKey, which cannot sign; give the private key or the secret',
    )
    const privatePem = keyText('rsa', 'privatePem')
    await expect(
      Reflect.apply(importVerificationKey, undefined, [{ kind: 'pkcs8', pem: privatePem }]),
    ).rejects.toThrow('stays with the partner')
    const secret = Reflect.apply(importSigningKey, undefined, [{ kind: 'secret', secret: privatePem }])
    await expect(secret).rejects.toThrow('to sign with kind pkcs8')
  })

  test.each(['PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'])(
    'public material together with a %s, before or behind it, is refused, and the error quotes neither',
    async label => {
      const secretPart = encodePem(crypto.getRandomValues(new Uint8Array(64)), label)
      for (const [kind, name] of [
        ['x509', 'certificate'],
        ['spki', 'rsa'],
      ] as const) {
        const publicPart = keyText(name, 'pem')
        for (const pem of [`${secretPart}${publicPart}`, `${publicPart}\n${secretPart}`]) {
          const error = await importVerificationKey({ kind, pem }, { clock }).catch(
            (failure: unknown) => failure,
          )
          expect(error).toBeInstanceOf(KeyImportError)
          expect(String(error)).toContain('stays with the partner')
          expect(String(error)).not.toContain(secretPart.split('\n')[1])
        }
      }
    },
  )

  test.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])(
    'a JWK whose only private member is %s is refused',
    async member => {
      const { n = '', e = '', ...secretMembers } = rsa.privateKey.export({ format: 'jwk' })
      const value = { oth: [{ r: 'AQ' }], k: 'AQ', ...secretMembers }[member]
      const jwk = { kty: 'RSA', n, e, [member]: value }
      await expect(importVerificationKey({ kind: 'jwk', jwk })).rejects.toThrow('stays with the partner')
    },
  )

  test.each<Record<string, unknown>>([
    { key_ops: [] },
    { d: '' },
    { use: '' },
    { alg: null },
    { kid: null },
    { k: '', p: '', q: null, dp: null, dq: '', qi: '', oth: null, crv: '', x5u: null },
  ])('a member without a value counts as absent in a JWK: %j', async members => {
    const { n, e } = rsa.publicKey.export({ format: 'jwk' })
    const [key, bare] = await Promise.all(
      [
        { ...members, kty: 'RSA', n, e },
        { kty: 'RSA', n, e },
      ].map(jwk => Reflect.apply(importVerificationKey, undefined, [{ kind: 'jwk', jwk }])),
    )
    expect([key.keyId, key.algorithms]).toEqual([bare.keyId, bare.algorithms])
    const { d } = rsa.privateKey.export({ format: 'jwk' })
    const withPrivate = { kind: 'jwk', jwk: { ...members, kty: 'RSA', n, e, d } }
    await expect(Reflect.apply(importVerificationKey, undefined, [withPrivate])).rejects.toThrow(
      'stays with the partner',
    )
  })

  test('every cut of a certificate is refused as a key, not with a crash', async () => {
    const der = await findKey(keyText('certificate', 'pem'), 'CERTIFICATE', 'x509')
    for (let length = 0; length < der.length; length += 7) {
      const pem = encodePem(der.subarray(0, length), 'CERTIFICATE')
      await expect(importVerificationKey({ kind: 'x509', pem }, { clock })).rejects.toBeInstanceOf(
        KeyImportError,
      )
    }
  })

  test.each(['ftp://partner.example/keys', 'http://partner.example/keys', 'keys.json'])(
    'a key set at %s is refused',
    async url => {
      await expect(importVerificationKey({ kind: 'jwks', url })).rejects.toBeInstanceOf(KeyImportError)
    },
  )
})

test('a key set accepts no algorithm of a secret', async () => {
  const source = { kind: 'jwks', url: 'https://partner.example/keys', algorithms: ['HS256'] } as const
  await expect(importVerificationKey(source)).rejects.toThrow('a key set allows RS256')
})

describe('certificates', () => {
  test.each(['certificate', 'expiredCertificate', 'futureCertificate'])(
    'a browser reads the validity of the %s as Node does, GeneralizedTime included',
    async name => {
      const pem = keyText(name, 'pem')
      const { validFrom, validTo } = new X509Certificate(pem)
      const validity = { notBefore: new Date(validFrom), notAfter: new Date(validTo) }
      const der = await findKey(pem, 'CERTIFICATE', 'x509')
      expect(readValidity(der)).toEqual(validity)
      for (let length = 0; length < der.length; length += 7)
        expect(() => readValidity(der.subarray(0, length))).toThrow(KeyImportError)
    },
  )
})

describe('importSigningKey', () => {
  test('an algorithm of another type of key is refused', async () => {
    const pem = keyText('rsa', 'privatePem')
    await expect(importSigningKey({ kind: 'pkcs8', pem, algorithm: 'ES256' })).rejects.toBeInstanceOf(
      KeyImportError,
    )
    expect((await importSigningKey({ kind: 'pkcs8', pem, algorithm: 'PS256' })).algorithm).toBe('PS256')
  })

  test.each([{ use: 'enc' }, { key_ops: ['verify'] }, { key_ops: ['deriveBits'] }])(
    'a JWK that is not for signing, %j, is refused',
    async members => {
      const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
      const source = { kind: 'jwk' as const, jwk: { ...jwk, kty: 'EC', ...members } }
      await expect(importSigningKey(source)).rejects.toThrow('its use or key_ops do not include signatures')
    },
  )

  test.each([
    { use: 'sig', key_ops: ['sign', 'verify'] },
    { use: '', key_ops: [] },
  ])('a JWK with %j signs', async marks => {
    const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
    const members = { kty: 'EC', ...marks }
    const key = await importSigningKey({ kind: 'jwk', jwk: { ...jwk, ...members } })
    expect(key.algorithm).toBe('ES256')
  })

  test('an empty kid is refused as an option and counts as none in a JWK', async () => {
    for (const name of ['p256', 'secret'])
      await expect(importSigningKey({ ...signingKey(name), kid: '' })).rejects.toThrow('kid')
    const jwk = {
      ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
      kty: 'OKP',
      kid: '',
    }
    const key = await importSigningKey({ kind: 'jwk', jwk })
    expect(key.keyId).toBe(key.thumbprint)
  })

  test.each([{}, { d: '' }])('a public JWK with %j cannot sign', async members => {
    const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
    await expect(importSigningKey({ kind: 'jwk', jwk: { ...jwk, ...members, kty: 'EC' } })).rejects.toThrow(
      'it is a public key or certificate, which cannot sign',
    )
  })
})

describe('readSecret', () => {
  test.each(['not base64url!', 'a+b/'.repeat(12)])('text that is not base64url is refused: %s', text => {
    expect(() => readSecret(text)).toThrow('base64url')
  })

  test('32 bytes are enough, with and without padding', () => {
    const bytes = new Uint8Array(32).fill(255)
    const text = Buffer.from(bytes).toString('base64url')
    expect(readSecret(text)).toEqual(bytes)
    expect(readSecret(`${text}=`)).toEqual(bytes)
    expect(readSecret(bytes)).toEqual(bytes)
  })
})

test.each<[string, unknown, string]>([
  [
    'as text alone',
    keyText('rsa', 'privatePem'),
    "source must be an object, such as { kind: 'pkcs8', pem }.",
  ],
  [
    'as a certificate',
    { kind: 'x509', pem: keyText('rsa', 'privatePem') },
    'source.kind must be pkcs8: it is a',
  ],
])('a private key that is given %s to sign is told how to give it', async (_name, source, sentence) => {
  await expect(Reflect.apply(importSigningKey, undefined, [source])).rejects.toThrow(sentence)
})

test('a private key as text alone is told so by signPayload too', async () => {
  const claims = { organizationId: 'o', employeeId: 'e', contact: { id: 'c' } }
  const signing = Reflect.apply(signPayload, undefined, [claims, 'pem', { audience: 'https://sso.example/' }])
  await expect(signing).rejects.toThrow("key must be an object, such as { kind: 'pkcs8', pem }.")
})
