import { explainPayload, type SignPayloadOptions, signPayload } from '@service-link/jwt-payload'
import { keyRegistrationSchema } from '@service-link/jwt-payload/steps'
import { registeredKey, signingKey } from '@service-link/test-kit/payload-vectors'
import { serve } from '@service-link/test-kit/serve'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { PartnerRegistration, Receiver } from '../../src/index.ts'
import { createTestReceiver, directoryOf, payload, post, url } from '../support/receiver.ts'

const clock = () => new Date('2026-06-01T12:00:00Z')

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
): Promise<readonly [string | undefined, string | undefined]> {
  const partners = await directoryOf([registration, bystander], clock)
  const receiver = await createTestReceiver({ partners, clock })
  const { keys: sources, issuer, policy, isActive = true } = registration
  const keys = (await partners.get(registration.id))?.keys ?? []
  const registered = { isActive }
  const options = { keys, sources, audience: url, issuer, clock, registration: registered }
  const checks = await explainPayload(token, policy === undefined ? options : { ...options, policy })
  const explained = checks.find(({ outcome }) => outcome === 'failed')?.code
  return [await refusalOf(receiver, token), explained]
}

const refusedSchema = z.object({ code: z.string() })

async function refusalOf(receiver: Receiver, token: string): Promise<string | undefined> {
  const response = await receiver.receive(post(token, { accept: 'application/json' }))
  return response.ok ? undefined : refusedSchema.parse(await response.json()).code
}

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
  ['not active', { keys: ['p256'], isActive: false }, 'p256', {}, 'ERR_PARTNER_INACTIVE'],
  [
    'not active, and another key',
    { keys: ['rsa'], isActive: false },
    'otherRsa',
    { keyId: 'rsa' },
    'ERR_PAYLOAD_SIGNATURE',
  ],
  [
    'not active, and not to be found',
    { keys: ['p256'], isActive: false },
    'p256',
    { keyId: 'other' },
    'ERR_PAYLOAD_KEY',
  ],
]

test.each(found)('%s: the receiver and explain agree', async (_name, registered, key, options, expected) => {
  const token = await signPayload(payload, signingKey(key), { audience: url, clock, ...options })
  expect(await bothVerdicts(token, registrationOf(registered))).toEqual([expected, expected])
})

test.each<[string, Partial<SignPayloadOptions>, Partial<PartnerRegistration>, string | undefined]>([
  ['its kid', {}, { issuer }, 'ERR_PAYLOAD_KEY'],
  ['its kid and the registered iss', { issuer }, { issuer }, undefined],
  ['its kid and an iss that is not registered', { issuer }, { issuer: `${issuer}/` }, 'ERR_PAYLOAD_KEY'],
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
