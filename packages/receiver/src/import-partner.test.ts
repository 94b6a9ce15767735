import { KeyImportError } from '@service-link/jwt-payload'
import { keyRegistrationSchema, type PartnerRegistration } from '@service-link/jwt-payload/steps'
import { keyText, registeredKey } from '@service-link/test-kit/payload-vectors'
import { describe, expect, test } from 'vitest'
import { createPartnerDirectory, importPartner } from './partner-directory.ts'
import { ReceiverOptionError } from './receiver-errors.ts'

const good: PartnerRegistration = {
  id: 'good',
  name: 'Good',
  keys: [keyRegistrationSchema.parse(registeredKey('p256'))],
}

const secret = { kind: 'secret' as const, secret: 'A'.repeat(43) }

/** A registration from a file, without type checks. */
function withKeyMembers(members: Readonly<Record<string, unknown>>): PartnerRegistration {
  return Object.assign(structuredClone(good), { keys: [{ ...good.keys[0], ...members }] })
}

/** The error with which an import fails. */
async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('an invalid registration', () => {
  test.each<[string, string, PartnerRegistration]>([
    ['id', 'must be', { ...good, id: 'top secret!' }],
    ['repeatable', 'needs the policy lenient', { ...good, repeatable: true }],
    ['scriptOrigins.0', 'must be an origin', { ...good, scriptOrigins: ['https://x.example/'] }],
    ['keys.1.pem', '', { ...good, keys: [...good.keys, { kind: 'spki', pem: '' }] }],
    ['keys.0.kid', 'must be a string', withKeyMembers({ kid: ['top secret!'] })],
    ['keys.0.jwk', 'is missing', withKeyMembers({ jwk: undefined })],
    ['keys', 'must have a key', { ...good, keys: [] }],
    ['keys.0.kid', 'must not begin or end with white space', withKeyMembers({ kid: ' top secret!' })],
    [
      'issuer',
      'is missing: ',
      { ...good, keys: [{ kind: 'jwks', url: 'https://top.secret!/keys', kid: 'a' }] },
    ],
    ['keys.0.url', '', { ...good, keys: [{ kind: 'jwks', url: 'top secret!' }] }],
  ])('of wrong shape at %s is refused by path, without the value', async (path, problem, registration) => {
    const alone = await refusalOf(importPartner(registration))
    expect(alone).toBeInstanceOf(ReceiverOptionError)
    expect(String(alone)).toContain(` ${path} ${problem}`)
    const second = await refusalOf(createPartnerDirectory([good, registration]))
    expect(second).toBeInstanceOf(ReceiverOptionError)
    expect(String(second)).toContain(` 1.${path} ${problem}`)
    for (const error of [alone, second]) {
      expect(`${error} ${JSON.stringify(error)}`).not.toContain('top secret!')
      expect(error).not.toHaveProperty('cause')
    }
  })

  test.each<[string, string, object]>([
    ['frameOrigin', 'Did you mean frameOrigins?', { frameOrigin: [] }],
    ['appearance.colour', 'Did you mean color?', { appearance: { colour: '#000000' } }],
    ['iss', 'Did you mean issuer?', { iss: 'https://good.example' }],
    ['kid', 'Did you mean keys?', { kid: '2026' }],
    ['logoUrl', 'Did you mean appearance?', { logoUrl: 'https://good.example/logo.png' }],
    ['keys.0.keyid', 'Did you mean kid?', { keys: [{ ...secret, keyid: '2026' }] }],
    ['keys.0.Kid', 'Did you mean kid?', { keys: [{ ...secret, Kid: '2026' }] }],
  ])('with the unknown member %s is refused by name: %s', async (path, hint, members) => {
    const registration: PartnerRegistration = Object.assign(structuredClone(good), members)
    await expect(importPartner(registration)).rejects.toMatchObject({
      code: 'ERR_PARAMETER',
      message: expect.stringContaining(`registration.${path} is not known. ${hint}`),
    })
    await expect(createPartnerDirectory([good, registration])).rejects.toMatchObject({
      message: expect.stringContaining(`registrations.1.${path} is not known. ${hint}`),
    })
  })

  test('[5.1-asymmetric] a JWK with null members and DER in base64 are accepted as they are in JSON', async () => {
    const key = registeredKey('p256')
    const jwk = key.kind === 'jwk' ? key.jwk : undefined
    const empty = { kid: null, alg: null, use: '', key_ops: [], oth: [], d: null }
    const pem = keyText('rsa', 'pem').replace(/-----.*-----/g, '')
    const file = JSON.stringify({
      ...good,
      keys: [
        { kind: 'jwk', jwk: { ...jwk, ...empty } },
        { kind: 'spki', pem },
      ],
    })
    const { keys } = await importPartner(JSON.parse(file))
    expect(keys.map(({ algorithms }) => algorithms[0])).toEqual(['ES256', 'RS256'])
  })

  test('secrets without a kid, and a secret beside a key of its kid, are accepted', async () => {
    const keys = [secret, secret, { ...secret, kid: 'p256' }, ...good.keys]
    await expect(importPartner({ ...good, issuer: 'https://good.example', keys })).resolves.toBeDefined()
  })

  test('with an unusable key is refused by partner and key, without the key’s content', async () => {
    const pem = keyText('p384', 'privatePem')
    const registration: PartnerRegistration = {
      ...good,
      id: 'other',
      keys: [...good.keys, { kind: 'spki', pem }],
    }
    const alone = await refusalOf(importPartner(registration))
    expect(alone).toBeInstanceOf(KeyImportError)
    expect(alone).toMatchObject({ path: 'keys.1', kind: 'spki' })
    const second = await refusalOf(createPartnerDirectory([good, registration]))
    expect(second).toBeInstanceOf(KeyImportError)
    expect(second).toMatchObject({
      path: '1.keys.1',
      message: expect.stringMatching(/^The key 1\.keys\.1 of kind spki cannot be used: /),
    })
    for (const error of [alone, second])
      expect(`${error} ${JSON.stringify(error)}`).not.toContain(pem.split('\n')[1])
  })
})
