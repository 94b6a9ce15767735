import { describe, expect, test } from 'vitest'
import { keyText, registeredKey } from '../../../test/_vectors.ts'
import { KeyImportError } from '../../errors/key-errors.ts'
import { createPartnerDirectory } from '../memory/partner-directory.ts'
import { ReceiverOptionError } from '../receiver-errors.ts'
import { importPartner, keyRegistrationSchema, type PartnerRegistration } from './partner-registration.ts'

const good: PartnerRegistration = {
  id: 'good',
  name: 'Good',
  keys: [keyRegistrationSchema.parse(registeredKey('p256'))],
}

const secret = { kind: 'secret' as const, secret: 'A'.repeat(43) }

/** As a file could have it, which no type has checked. */
function withKeyMembers(members: Readonly<Record<string, unknown>>): PartnerRegistration {
  return Object.assign(structuredClone(good), { keys: [{ ...good.keys[0], ...members }] })
}

/** What an import refuses with. */
async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('a registration that cannot be right', () => {
  test.each<[string, string, PartnerRegistration]>([
    ['id', 'must be', { ...good, id: 'top secret!' }],
    [
      'keys.1.pem',
      'must be PEM text',
      { ...good, keys: [...good.keys, { kind: 'spki', pem: 'top secret!' }] },
    ],
    ['keys.0.kid', 'must be a string', withKeyMembers({ kid: ['top secret!'] })],
    ['keys.0.jwk', 'is missing', withKeyMembers({ jwk: undefined })],
    [
      'keys.2.kid',
      'is that of another secret',
      { ...good, keys: ['top secret!', 'other', 'top secret!'].map(kid => ({ ...secret, kid })) },
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

  test('secrets without a kid, and a secret beside a key of its kid, are taken', async () => {
    const keys = [secret, secret, { ...secret, kid: 'p256' }, ...good.keys]
    await expect(importPartner({ ...good, issuer: 'https://good.example', keys })).resolves.toBeDefined()
  })

  test('with a key that cannot be used says which partner and key, and nothing of the key', async () => {
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
