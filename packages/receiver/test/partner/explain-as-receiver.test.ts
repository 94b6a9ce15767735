import { explainPayload, type SignPayloadOptions, signPayload } from '@service-link/jwt-payload'
import { keyRegistrationSchema } from '@service-link/jwt-payload/steps'
import { registeredKey, signingKey, vectors, vectorToken } from '@service-link/test-kit/payload-vectors'
import { serve } from '@service-link/test-kit/serve'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { PartnerRegistration, Receiver } from '../../src/index.ts'
import { attacks } from '../support/attacks/all-attacks.ts'
import { goodClaims, now, signedBy } from '../support/attacks/forge.ts'
import { createTestReceiver, directoryOf, payload, post, url } from '../support/receiver.ts'

const clock = () => now
const attacker = 'http://127.0.0.1:1'

/** A second partner, so that no token passes as the only partner's. No token names its key. */
const bystander: PartnerRegistration = {
  id: 'bystander',
  name: 'Bystander Partner',
  keys: [keyRegistrationSchema.parse({ ...registeredKey('otherSecret'), kid: 'bystander' })],
}

function registrationOf({
  keys,
  ...more
}: Omit<Partial<PartnerRegistration>, 'keys'> & { readonly keys: readonly string[] }): PartnerRegistration {
  const registered = keys.map(name => keyRegistrationSchema.parse(registeredKey(name)))
  return { id: 'target', name: 'Target Partner', ...more, keys: registered }
}

/** The receiver's verdict on a token, and the verdict of explain. */
async function bothVerdicts(
  token: string,
  registration: PartnerRegistration,
  at: () => Date = clock,
): Promise<readonly [string | undefined, string | undefined]> {
  const partners = await directoryOf([registration, bystander], at)
  const receiver = await createTestReceiver({ partners, clock: at })
  const { keys: sources, issuer, policy, isActive = true } = registration
  const keys = (await partners.get(registration.id))?.keys ?? []
  const registered = { isActive }
  const options = { keys, sources, audience: url, issuer, clock: at, registration: registered }
  const checks = await explainPayload(token, policy === undefined ? options : { ...options, policy })
  const explained = checks.find(({ outcome }) => outcome === 'failed')?.code
  return [await refusalOf(receiver, token), explained]
}

const refusedSchema = z.object({ code: z.string() })

async function refusalOf(receiver: Receiver, token: string): Promise<string | undefined> {
  const response = await receiver.receive(post(token, { accept: 'application/json' }))
  return response.ok ? undefined : refusedSchema.parse(await response.json()).code
}

describe.each(['strict', 'lenient'] as const)('forgeries under the %s policy', policy => {
  const target = registrationOf({
    issuer: 'https://partner.example',
    policy,
    keys: ['rsa', 'p256', 'ed25519', 'secret'],
  })

  test.each(
    attacks
      .filter(({ notUnder }) => notUnder !== policy)
      .map(attack => [`${attack.group}: ${attack.name}`.replaceAll('\0', '␀'), attack] as const),
  )('%s: explain gives the receiver’s refusal', async (_name, { forge }) => {
    const [refused, explained] = await bothVerdicts(forge({ attacker }), target)
    expect(refused).toBeDefined()
    expect(explained).toBe(refused)
  })
})

describe('conformance/vectors/payload-verification.json', () => {
  test.each(
    vectors
      .filter(({ error }) => error?.code !== 'ERR_KEY_IMPORT')
      .map(vector => [`${vector.id}: ${vector.name}`, vector] as const),
  )('%s: explain agrees with the receiver’s acceptance', async (_name, vector) => {
    const { keys, policy, issuer, now: at } = vector.input
    const registration = registrationOf({ keys, policy, ...(issuer === undefined ? {} : { issuer }) })
    const [refused, explained] = await bothVerdicts(vectorToken(vector), registration, () => new Date(at))
    expect(explained).toBe(refused)
  })
})

const issuer = 'https://partner.example'

/** The key and issuer that a token names, and the registration. */
const found: readonly [
  string,
  Parameters<typeof registrationOf>[0],
  string,
  Partial<SignPayloadOptions>,
  string | undefined,
][] = [
  ['the registered kid', { keys: ['p256'] }, 'p256', {}, undefined],
  ['another kid', { keys: ['p256'] }, 'p256', { keyId: 'other' }, 'ERR_PAYLOAD_KEY'],
  [
    'another kid and an iss that is not registered',
    { keys: ['p256'] },
    'p256',
    { keyId: 'other', issuer },
    'ERR_PAYLOAD_KEY',
  ],
  [
    'another kid and the registered iss',
    { keys: ['p256'], issuer },
    'p256',
    { keyId: 'other', issuer },
    undefined,
  ],
  [
    'another kid and another iss',
    { keys: ['p256'], issuer },
    'p256',
    { keyId: 'other', issuer: `${issuer}/` },
    'ERR_PAYLOAD_KEY',
  ],
  [
    'the registered kid and another iss',
    { keys: ['p256'], issuer },
    'p256',
    { issuer: `${issuer}/` },
    'ERR_PAYLOAD_KEY',
  ],
  ['another kid and another alg', { keys: ['rsa'] }, 'p256', {}, 'ERR_PAYLOAD_KEY'],
  [
    'the registered kid and another alg',
    { keys: ['rsa'] },
    'p256',
    { keyId: 'rsa' },
    'ERR_PAYLOAD_ALGORITHM',
  ],
  ['a secret with its kid', { keys: ['secret'] }, 'secret', {}, undefined],
  ['a secret with another kid', { keys: ['secret'] }, 'secret', { keyId: 'other' }, 'ERR_PAYLOAD_KEY'],
  ['a secret with neither', { keys: ['unnamedSecret'] }, 'unnamedSecret', {}, 'ERR_PAYLOAD_KEY'],
  [
    'a secret with the registered iss',
    { keys: ['unnamedSecret'], issuer },
    'unnamedSecret',
    { issuer },
    undefined,
  ],
  ['not active', { keys: ['p256'], isActive: false }, 'p256', {}, 'ERR_PARTNER_INACTIVE'],
  [
    'not active, and another key',
    { keys: ['rsa'], isActive: false },
    'otherRsa',
    { keyId: 'rsa' },
    'ERR_PAYLOAD_SIGNATURE',
  ],
  [
    'not active, and another iss',
    { keys: ['p256'], issuer, isActive: false },
    'p256',
    { issuer: 'x' },
    'ERR_PARTNER_INACTIVE',
  ],
  [
    'not active, and not to be found',
    { keys: ['p256'], isActive: false },
    'p256',
    { keyId: 'other' },
    'ERR_PAYLOAD_KEY',
  ],
  ['for another audience', { keys: ['p256'] }, 'p256', { audience: `${url}/` }, 'ERR_PAYLOAD_AUDIENCE'],
]

test.each(found)('%s: the receiver and explain agree', async (_name, registered, key, options, expected) => {
  const token = await signPayload(payload, signingKey(key), { audience: url, clock, ...options })
  expect(await bothVerdicts(token, registrationOf(registered))).toEqual([expected, expected])
})

test.each<[string, object, number, string | undefined]>([
  ['without exp, a moment old', { exp: undefined }, 0, undefined],
  ['without exp, two days old', { exp: undefined }, 2 * 86_400, 'ERR_PAYLOAD_EXPIRED'],
  ['without times, two days later', { exp: undefined, iat: undefined }, 2 * 86_400, undefined],
])('lenient, %s: the receiver and explain agree', async (_name, changed, seconds, expected) => {
  const token = signedBy('p256').token({ ...goodClaims(), ...changed })
  const later = () => new Date(now.getTime() + seconds * 1000)
  const verdicts = await bothVerdicts(token, registrationOf({ keys: ['p256'], policy: 'lenient' }), later)
  expect(verdicts).toEqual([expected, expected])
})

test.each<[string, Partial<SignPayloadOptions>, Partial<PartnerRegistration>, string | undefined]>([
  ['its kid', {}, {}, 'ERR_PAYLOAD_KEY'],
  ['its kid and the registered iss', { issuer }, { issuer }, undefined],
  ['its kid and an iss that is not registered', { issuer }, {}, 'ERR_PAYLOAD_KEY'],
  ['a kid that is not in it, and iss', { keyId: 'other', issuer }, { issuer }, 'ERR_PAYLOAD_KEY'],
])('a key of a key set, with %s: the receiver and explain agree', async (_name, options, more, expected) => {
  const key = registeredKey('p256')
  await using server = await serve(() => Response.json({ keys: [key.kind === 'jwk' ? key.jwk : {}] }))
  const token = await signPayload(payload, signingKey('p256'), { audience: url, clock, ...options })
  const keys: PartnerRegistration['keys'] = [{ kind: 'jwks', url: `${server.origin}/jwks.json` }]
  expect(await bothVerdicts(token, { ...registrationOf({ keys: [] }), ...more, keys })).toEqual([
    expected,
    expected,
  ])
})
