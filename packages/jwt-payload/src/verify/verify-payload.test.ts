import { keyText, registeredKey, signingKey } from '@service-link/test-kit/payload-vectors'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { PayloadKeyError } from '../errors/refusals.ts'
import { explainPayload } from '../explain/explain-payload.ts'
import { importVerificationKey } from '../keys/import-verification-key.ts'
import { signPayload } from '../sign/sign-payload.ts'
import { verifyPayload } from './verify-payload.ts'

const audience = 'https://sso.example/partner/payload'
const payload = { organizationId: 'o', employeeId: 'e', contact: { id: 'c' } }

describe('verifyPayload', () => {
  test('a certificate that expires after registration is refused from then on', async () => {
    let now = new Date('2026-12-31T00:00:00Z')
    const clock = () => now
    const keys = await importVerificationKey(registeredKey('futureCertificate'), { clock, validity: 'use' })
    const verify = async () =>
      verifyPayload(await signPayload(payload, signingKey('futureCertificate'), { audience, clock }), {
        keys,
        audience,
        clock,
      })
    await expect(verify()).rejects.toThrow('is not valid before')
    now = new Date('2028-12-31T00:00:00Z')
    expect((await verify()).key.certificate?.thumbprint).toMatch(/^[\dA-F]{64}$/)
    now = new Date('2029-01-02T00:00:00Z')
    const error = await verify().catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(PayloadKeyError)
    expect(error instanceof PayloadKeyError && error.certificate?.notAfter).toEqual(
      new Date('2029-01-01T00:00:00Z'),
    )
  })

  test('an expired certificate beside its successor does no harm', async () => {
    const clock = () => new Date('2026-06-01T12:00:00Z')
    const keys = await Promise.all(
      ['expiredCertificate', 'certificate'].map(name =>
        importVerificationKey({ ...registeredKey(name), kid: undefined }, { clock, validity: 'use' }),
      ),
    )
    const token = await signPayload(
      payload,
      { ...signingKey('certificate'), kid: undefined },
      { audience, clock },
    )
    expect((await verifyPayload(token, { keys, audience, clock })).key).toBe(keys[1])
  })

  test.each(['thumbprint', 'thumbprintSha1'] as const)(
    'kid may be the certificate’s %s, as .NET writes it',
    async member => {
      const clock = () => new Date('2026-06-01T12:00:00Z')
      const certificate = await importVerificationKey(registeredKey('certificate'), { clock })
      const other = await importVerificationKey(registeredKey('otherRsa'))
      const keyId = certificate.certificate?.[member] ?? ''
      const token = await signPayload(payload, signingKey('certificate'), { audience, clock, keyId })
      expect((await verifyPayload(token, { keys: [other, certificate], audience, clock })).key).toBe(
        certificate,
      )
    },
  )

  test('claims with names of object members are kept as data', async () => {
    const secret = Buffer.from(keyText('secret', 'secret'), 'base64url')
    const claims = JSON.parse(
      '{"organizationId":"o","employeeId":"e","contact":{"id":"c","__proto__":{"polluted":"1"}},"__proto__":{"polluted":"1"},"constructor":"x"}',
    )
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret)
    const keys = await importVerificationKey({ kind: 'secret', secret })
    const { payload: received, person } = await verifyPayload(token, { keys, audience, policy: 'lenient' })
    expect(received.extra).toEqual({ constructor: 'x' })
    for (const value of [received, Object(received.extra), received.contact, person, {}])
      expect('polluted' in value).toBe(false)
  })

  test('an expected issuer needs an iss, unless a whole registration says what is taken', async () => {
    const keys = await importVerificationKey(registeredKey('secret'))
    const token = await signPayload(payload, signingKey('secret'), { audience })
    const options = { keys, audience, issuer: 'https://journal.example' }
    await expect(verifyPayload(token, options)).rejects.toThrow('The claim iss is missing.')
    const codeOf = async (given: object) =>
      (await explainPayload(token, { ...options, ...given })).find(({ check }) => check === 'issuer')?.code
    expect(await codeOf({})).toBe('ERR_PAYLOAD_KEY')
    expect(await codeOf({ registration: { isActive: true } })).toBeUndefined()
  })

  test.each([
    ['audience', { audience: '/partner/payload' }],
    ['audience', { audience: [] }],
    ['issuer', { issuer: '' }],
  ])('an %s that no token can have is refused: %j', async (option, options) => {
    const keys = await importVerificationKey(registeredKey('secret'))
    // Before the token, which a first try may have made up.
    await expect(verifyPayload('a.b.c', { keys, audience, ...options })).rejects.toMatchObject({
      code: 'ERR_PARAMETER',
      parameter: `options.${option}`,
    })
  })

  test('a refusal tells the seconds', async () => {
    const clock = () => new Date('2026-06-01T12:00:00Z')
    const keys = await importVerificationKey(registeredKey('secret'))
    const token = await signPayload(payload, signingKey('secret'), { audience, clock })
    const at = (seconds: number) =>
      verifyPayload(token, { keys, audience, clock: () => new Date(clock().getTime() + seconds * 1000) })
    await expect(at(120)).rejects.toMatchObject({ code: 'ERR_PAYLOAD_EXPIRED', expiredForSeconds: 60 })
    await expect(at(-61)).rejects.toMatchObject({ code: 'ERR_PAYLOAD_NOT_YET_VALID', validInSeconds: 61 })
  })
})
