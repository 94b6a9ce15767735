import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { onlyOf, type PartnerRegistration } from '@service-link/jwt-payload/steps'
import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { createPartnerDirectory, type PartnerDirectory } from '../partner-directory.ts'
import { createRateLimiter, type RateLimiter } from '../rate-limiter.ts'
import { assertParsed } from '../read-registrations.ts'

/** A partner's registration, or a part of it. */
export type TestRegistration = {
  readonly [Name in keyof PartnerRegistration]?: PartnerRegistration[Name] | undefined
}

/** The partner of a test service, with a key pair of the service's. */
export interface TestPartner {
  readonly registration: PartnerRegistration & { readonly issuer: string }
  readonly privateKey: KeyObject
  /** Its public part, as it is registered. */
  readonly key: { readonly kind: 'spki'; readonly pem: string; readonly kid: string }
}

/** The header `kid` of the key that a test service makes. */
export const testKeyId = 'test-service'

/** Reads the given registration, and adds the key that the service makes. */
export function readTestPartner(given: TestRegistration | readonly [TestRegistration] = {}): TestPartner {
  const partner = onlyOf(given)
  assertParsed('options.partner', partner)
  if (Array.isArray(partner))
    throw new ParameterError(
      'options.partner',
      'one registration',
      'must be one registration, not a list of others.',
    )
  assertParameter('options.partner', partner, 'object')
  const {
    id = 'test-partner',
    name = 'Test partner',
    issuer = 'https://partner.example',
    keys = [],
  } = partner
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = String(publicKey.export({ type: 'spki', format: 'pem' }))
  const key = { kind: 'spki', pem, kid: testKeyId } as const
  return { registration: { ...partner, id, name, issuer, keys: [keys, key].flat() }, privateKey, key }
}

/** Partners beside that of the test: their registrations cause the refusals that no token of an allowed partner causes. */
export const refusedPartners = {
  inactive: { kid: 'test-service-inactive', issuer: 'https://inactive.partner.example' },
  limited: { kid: 'test-service-limited', issuer: 'https://limited.partner.example' },
  /** Its key set is not there: found by its issuer alone. */
  unreachable: { kid: 'nobody', issuer: 'https://unreachable.partner.example' },
} as const

/** The partner of the test, and {@link refusedPartners} with the same key. Names that they share are those of the test. */
export async function createTestDirectory(
  { registration, key }: TestPartner,
  clock: () => Date,
): Promise<PartnerDirectory> {
  const { inactive, limited, unreachable } = refusedPartners
  const terms = ({ issuer }: { readonly issuer: string }) => ({
    id: new URL(issuer).hostname,
    name: issuer,
    issuer,
  })
  const others: PartnerRegistration[] = [
    { ...terms(inactive), keys: [{ ...key, kid: inactive.kid }], isActive: false },
    { ...terms(limited), keys: [{ ...key, kid: limited.kid }] },
    { ...terms(unreachable), keys: [{ kind: 'jwks', url: `${unreachable.issuer}/keys` }] },
  ]
  const options = { clock, validity: 'use' } as const
  // Apart: a token that names nobody belongs to a directory's only partner.
  const tested = await createPartnerDirectory([registration], options)
  const fetch = async () => new Response(null, { status: 503 })
  const refused = await createPartnerDirectory(others, { ...options, fetch })
  return {
    find: async hint => (await refused.find(hint)) ?? tested.find(hint),
    get: async id => (await tested.get(id)) ?? refused.get(id),
  }
}

/** Counts as a service does, and lets no post of the limited partner through. */
export function createTestLimiter(): RateLimiter {
  const counted = createRateLimiter()
  const limitedId = new URL(refusedPartners.limited.issuer).hostname
  return {
    ...counted,
    take: async (partnerId, max, now) =>
      partnerId === limitedId
        ? { isAllowed: false, retryAfterSeconds: 1 }
        : counted.take(partnerId, max, now),
  }
}
