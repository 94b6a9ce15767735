import {
  createPrivateKey,
  createSecretKey,
  createSign,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto'
import { keyText, nameOfKeyFor, registeredKey } from '@service-link/test-kit/payload-vectors'
import { describe, expect, test } from 'vitest'
import { type PayloadAlgorithm, payloadAlgorithms } from '../keys/algorithms.ts'
import { importVerificationKey } from '../keys/import-verification-key.ts'
import { importSigningKey } from '../keys/signing-key.ts'
import { verifyPayload } from '../verify/verify-payload.ts'
import type { PayloadSigner } from './sign-by-signer.ts'
import { signPayload } from './sign-payload.ts'

const audience = 'https://sso.example/partner/payload'
const payload = { organizationId: 'o', employeeId: 'e', contact: { id: 'c' } }
const withoutCheck = (key: unknown, options: object = {}) =>
  Reflect.apply(signPayload, undefined, [payload, key, { audience, ...options }])

const pkcs8 = (name: string) => keyText(name, 'privatePem')
const nodeKey = (name: string) => createPrivateKey(pkcs8(name))
const verified = async (name: string, token: string) =>
  verifyPayload(token, { keys: await importVerificationKey(registeredKey(name)), audience })

const rsa = (hash = 'SHA-256', modulusLength = 2048) => ({
  name: 'RSA-PSS',
  hash,
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
})

describe('a key that the program holds', () => {
  test.each(['rsa', 'p256', 'p384', 'p521', 'ed25519'])(
    'a KeyObject signs as its file does, with the same kid: %s',
    async name => {
      const [held, file] = await Promise.all([
        importSigningKey(nodeKey(name)),
        importSigningKey({ kind: 'pkcs8', pem: pkcs8(name) }),
      ])
      expect(held).toMatchObject({ kind: 'key', keyId: file.keyId, algorithm: file.algorithm })
      await expect(
        verified(name, await signPayload(payload, nodeKey(name), { audience })),
      ).resolves.toBeDefined()
    },
  )

  test('a KeyObject of a secret signs, and one of RSA with another algorithm', async () => {
    const secret = createSecretKey(Buffer.from(keyText('secret', 'secret'), 'base64url'))
    const token = await signPayload(payload, secret, { audience, keyId: 'secret' })
    await expect(verified('secret', token)).resolves.toMatchObject({ algorithm: 'HS256' })
    const source = { kind: 'key', key: nodeKey('rsa'), algorithm: 'PS384', kid: 'mine' } as const
    await expect(importSigningKey(source)).resolves.toMatchObject({ algorithm: 'PS384', keyId: 'mine' })
  })

  test.each([true, false])('a CryptoKey signs with its own algorithm, extractable: %s', async extractable => {
    const { privateKey, publicKey } = await crypto.subtle.generateKey(rsa('SHA-384'), extractable, [
      'sign',
      'verify',
    ])
    const key = await importSigningKey(privateKey)
    expect(key.algorithm).toBe('PS384')
    expect(key.thumbprint === undefined).toBe(!extractable)
    const token = await signPayload(payload, privateKey, { audience, keyId: 'k' })
    const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), kty: 'RSA' }
    const { key_ops: _operations, ext: _extractable, ...members } = jwk
    const keys = await importVerificationKey({ kind: 'jwk', jwk: members, kid: 'k' })
    await expect(verifyPayload(token, { keys, audience })).resolves.toMatchObject({ keyId: 'k' })
  })

  test('a weak one is refused, also where only its size can be read', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
    await expect(importSigningKey(weak)).rejects.toThrow('of kind key, RFC 7638 thumbprint')
    for (const extractable of [true, false]) {
      const { privateKey } = await crypto.subtle.generateKey(rsa('SHA-256', 1024), extractable, [
        'sign',
        'verify',
      ])
      await expect(importSigningKey(privateKey)).rejects.toThrow('1024 bits and needs at least 2048')
      const hmac = { name: 'HMAC', hash: 'SHA-512', length: 256 }
      const secret = await crypto.subtle.generateKey(hmac, extractable, ['sign'])
      await expect(importSigningKey(secret)).rejects.toThrow('HS512 needs at least 64 bytes')
    }
  })

  test('one that cannot sign is refused', async () => {
    const { publicKey, privateKey } = await crypto.subtle.generateKey(rsa(), false, ['sign', 'verify'])
    for (const key of [publicKey, generateKeyPairSync('ed25519').publicKey])
      await expect(importSigningKey(key)).rejects.toThrow('which cannot sign')
    const source = { kind: 'key', key: privateKey, algorithm: 'RS256' } as const
    await expect(importSigningKey(source)).rejects.toThrow('bound it to PS256')
    const exchange = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, [
      'deriveBits',
    ])
    await expect(withoutCheck(exchange.privateKey)).rejects.toMatchObject({ code: 'ERR_KEY_IMPORT' })
    await expect(importSigningKey(generateKeyPairSync('x25519').privateKey)).rejects.toThrow('neither RSA')
    await expect(withoutCheck({ kind: 'key', key: {} })).rejects.toThrow('a CryptoKey or a KeyObject')
    const parameter = 'key.algorithm'
    await expect(withoutCheck({ material: {}, algorithm: 'none' })).rejects.toMatchObject({ parameter })
  })
})

/** A signer whose key stays where it is, as a key vault is used. */
const signerFor = (algorithm: PayloadAlgorithm): PayloadSigner => ({
  kind: 'signer',
  algorithm,
  kid: nameOfKeyFor(algorithm),
  sign: async bytes => {
    const key = await importSigningKey({ kind: 'key', key: nodeKey(nameOfKeyFor(algorithm)), algorithm })
    const { material } = key
    const bits = Number(algorithm.slice(2)) || 512
    const parameters = { name: material.algorithm.name, hash: `SHA-${bits}`, saltLength: bits / 8 }
    return new Uint8Array(await crypto.subtle.sign(parameters, material, bytes))
  },
})

describe('a signer of the partner', () => {
  test.each(payloadAlgorithms.filter(algorithm => !algorithm.startsWith('HS')))(
    'signs the bytes of header and claims: %s',
    async algorithm => {
      const token = await signPayload(payload, signerFor(algorithm), { audience })
      await expect(verified(nameOfKeyFor(algorithm), token)).resolves.toMatchObject({ algorithm, payload })
    },
  )

  test('may answer at once, and have no kid', async () => {
    const signer: PayloadSigner = {
      kind: 'signer',
      algorithm: 'EdDSA',
      sign: bytes => sign(null, bytes, nodeKey('ed25519')),
    }
    await expect(signPayload(payload, signer, { audience })).rejects.toMatchObject({
      parameter: 'options.keyId',
      message: expect.stringContaining('Give keyId, or issuer, as it is registered'),
    })
    const token = await signPayload(payload, signer, { audience, issuer: 'https://partner.example' })
    await expect(verified('ed25519', token)).resolves.toMatchObject({ keyId: undefined })
  })

  test.each<[PayloadAlgorithm, (bytes: Uint8Array) => unknown, string]>([
    [
      'ES256',
      bytes => createSign('sha256').update(bytes).sign(nodeKey('p256')),
      'in DER; a JWS has the two numbers one after the other, 64 bytes',
    ],
    [
      'ES512',
      bytes => createSign('sha512').update(bytes).sign(nodeKey('p521')),
      'in DER; a JWS has the two numbers one after the other, 132 bytes',
    ],
    ['ES384', () => randomBytes(64), '64 bytes; a signature of ES384 has 96'],
    ['EdDSA', () => randomBytes(114), '114 bytes; a signature of EdDSA has 64'],
    ['RS256', () => randomBytes(128), '128 bytes; a signature of RS256 has 256 to 1024'],
    ['HS512', () => new Uint8Array(), '0 bytes; a signature of HS512 has 64'],
    ['RS256', () => 'c2lnbmF0dXJl', 'no Uint8Array'],
    ['RS256', () => undefined, 'no Uint8Array'],
  ])('that returns something else with %s is told: %#', async (algorithm, answer, words) => {
    const error = await withoutCheck({ kind: 'signer', algorithm, kid: 'k', sign: answer }).catch(
      (failure: unknown) => failure,
    )
    expect(error).toMatchObject({ code: 'ERR_KEY_IMPORT', kind: 'signer' })
    expect(String(error)).toContain(words)
  })

  test('may not have an empty kid, as no key may', async () => {
    await expect(withoutCheck({ ...signerFor('ES256'), kid: '' })).rejects.toMatchObject({
      code: 'ERR_KEY_IMPORT',
      problem: 'its kid must not be empty; leave it out',
    })
  })

  test('has its own error thrown on, untouched', async () => {
    const failure = new Error('The card was removed.')
    const fails = () => Promise.reject(failure)
    await expect(withoutCheck({ ...signerFor('ES256'), sign: fails })).rejects.toBe(failure)
    const throws = () => {
      throw failure
    }
    await expect(withoutCheck({ ...signerFor('ES256'), sign: throws })).rejects.toBe(failure)
  })

  test('is waited for until the signal aborts, which it gets', async () => {
    const stop = new AbortController()
    let given: unknown
    const never: PayloadSigner = {
      ...signerFor('ES256'),
      sign: (_bytes, { signal }) => {
        given = signal
        return new Promise(() => undefined)
      },
    }
    const signing = signPayload(payload, never, { audience, signal: stop.signal })
    const reason = new Error('The window was closed.')
    stop.abort(reason)
    await expect(signing).rejects.toBe(reason)
    expect(given).toBe(stop.signal)
  })

  test.each<[object, string]>([
    [{ algorithm: 'none' }, 'key.algorithm'],
    [{ sign: undefined }, 'key.sign'],
    [{ kid: 7 }, 'key.kid'],
    [{ keyId: '2026' }, 'key.keyId'],
  ])('is checked before it signs: %j', async (members, parameter) => {
    await expect(withoutCheck({ ...signerFor('ES256'), ...members })).rejects.toMatchObject({
      code: 'ERR_PARAMETER',
      parameter,
    })
  })
})
