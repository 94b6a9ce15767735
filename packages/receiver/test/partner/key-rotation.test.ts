import { type SigningKeySource, signPayload } from '@service-link/jwt-payload'
import { keyText, registeredKey } from '@service-link/test-kit/payload-vectors'
import { describe, expect, test } from 'vitest'
import { createPartnerDirectory, type PartnerRegistration } from '../../src/index.ts'
import { createTestReceiver, payload, post, type TestReceiver, url } from '../support/receiver.ts'

const issuer = 'https://partner.example'
const secretOf = (byte: number) =>
  ({ kind: 'secret', secret: Buffer.alloc(32, byte).toString('base64url') }) as const

/** The partner's signing key and its registration. */
interface RotatedKey {
  readonly registered: PartnerRegistration['keys'][number]
  readonly signing: SigningKeySource
}

const certificate = (name: string, key: string, kid?: string): RotatedKey => ({
  registered: { kind: 'x509', pem: keyText(name, 'pem'), kid },
  signing: { kind: 'pkcs8', pem: keyText(key, 'privatePem'), kid },
})
const publicKey = (name: string): RotatedKey => ({
  registered: { kind: 'spki', pem: keyText(name, 'pem') },
  signing: { kind: 'pkcs8', pem: keyText(name, 'privatePem') },
})
const secret = (byte: number, kid?: string): RotatedKey => ({
  registered: { ...secretOf(byte), kid },
  signing: { ...secretOf(byte), kid },
})

const rotations: readonly (readonly [string, RotatedKey, RotatedKey])[] = [
  ['certificates', certificate('certificate', 'rsa'), certificate('otherCertificate', 'otherRsa')],
  [
    'certificates under one kid',
    certificate('certificate', 'rsa', 'k'),
    certificate('otherCertificate', 'otherRsa', 'k'),
  ],
  ['secrets, which have no kid', secret(1), secret(2)],
  ['a secret and the certificate that takes its place', secret(1), certificate('certificate', 'rsa')],
]

describe('[5.1-signed] keys are replaced without an outage', () => {
  test.each(rotations)(
    '%s: old and new work side by side, and only the old one fails after its removal',
    async (_name, before, after) => {
      const only = await receiverWith([before])
      expect(await deliver(only, before)).toBe(200)
      expect(await deliver(only, after)).toBe(401)

      for (const order of [
        [before, after],
        [after, before],
      ]) {
        const both = await receiverWith(order)
        expect([await deliver(both, before), await deliver(both, after)]).toEqual([200, 200])
      }

      const removed = await receiverWith([after])
      expect(await deliver(removed, after)).toBe(200)
      expect(await deliver(removed, before)).toBe(401)
    },
  )

  test('an expired certificate is refused by its thumbprint while its successor works', async () => {
    const [old, next] = [certificate('expiredCertificate', 'rsa'), publicKey('otherRsa')]
    let now = new Date('2025-12-31T23:59:00Z')
    const receiver = await receiverWith([old, next], { clock: () => now })
    expect(await deliver(receiver, old, () => now)).toBe(200)
    now = new Date('2026-01-01T00:01:00Z')
    const token = await sign(old, () => now)
    const refusal = await receiver.receive(post(token, { accept: 'application/json' }))
    expect(refusal.status).toBe(401)
    expect(await refusal.json()).toMatchObject({
      code: 'ERR_PAYLOAD_KEY',
      detail: expect.stringMatching(
        /SHA-256 thumbprint [\dA-F]{64} \(SHA-1 [\dA-F]{40}\) expired at 2026-01-01T00:00:00Z/,
      ),
    })
    expect(await deliver(receiver, next, () => now)).toBe(200)
  })
})

function fromVectors(name: string): PartnerRegistration['keys'][number] {
  const key = registeredKey(name)
  if (key.kind === 'secret') return { kind: 'secret', secret: keyText(name, 'secret') }
  if (key.kind === 'jwk') return { kind: 'jwk', jwk: { ...key.jwk, kty: key.jwk.kty ?? '' } }
  throw new TypeError('Another kind of key was expected.')
}

/** A receiver with a partner of these keys, and a second partner. */
async function receiverWith(
  keys: readonly RotatedKey[],
  overrides: { clock?: () => Date } = {},
): Promise<TestReceiver> {
  const registrations = [
    { id: 'rotating', name: 'Rotating Partner', issuer, keys: keys.map(({ registered }) => registered) },
    { id: 'other', name: 'Other Partner', issuer: 'https://other.example', keys: [fromVectors('p384')] },
  ]
  const now = overrides.clock ?? (() => new Date('2026-06-01T12:00:00Z'))
  return createTestReceiver({
    partners: await createPartnerDirectory(registrations, { clock: now, validity: 'use' }),
    ...overrides,
  })
}

/** Signs with a key, posts, and returns the status. */
async function deliver(receiver: TestReceiver, key: RotatedKey, clock = receiver.clock): Promise<number> {
  return (await receiver.receive(post(await sign(key, clock)))).status
}

function sign({ signing }: RotatedKey, clock: () => Date): Promise<string> {
  return signPayload(payload, signing, { audience: url, issuer, clock })
}
