import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { registeredKey, signingKey } from '@service-link/test-kit/payload-vectors'
import fc from 'fast-check'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { importVerificationKey } from '../keys/import-verification-key.ts'
import { importSigningKey } from '../keys/signing-key.ts'
import { verifyPayload } from '../verify/verify-payload.ts'
import { explainPayload } from './explain-payload.ts'

const audience = 'https://sso.example/partner/payload'
const now = new Date('2026-06-01T12:00:00Z')
const iat = now.getTime() / 1000

/** Mostly valid, so that every check is reached. */
function orElse<Value>(right: Value, wrong: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: wrong })
}

const seconds = fc.oneof(
  fc.integer({ min: -400, max: 400 }).map(away => iat + away),
  fc.double(),
  fc.jsonValue(),
)

const claims = fc.record(
  {
    organizationId: orElse('o', fc.jsonValue()),
    employeeId: orElse('e', fc.jsonValue()),
    contact: orElse(
      { id: 'c' },
      fc.oneof(fc.jsonValue(), fc.record({ id: fc.string(), birthdate: fc.string() })),
    ),
    iat: orElse(iat, seconds),
    exp: orElse(iat + 60, seconds),
    nbf: orElse(undefined, seconds),
    aud: orElse(audience, fc.oneof(fc.webUrl(), fc.jsonValue())),
    iss: orElse(undefined, fc.oneof(fc.constant('https://journal.example'), fc.jsonValue())),
    jti: orElse('one', fc.jsonValue()),
  },
  { requiredKeys: [] },
)

const cut = fc.record({
  at: fc.nat({ max: 600 }),
  remove: fc.nat({ max: 3 }),
  insert: fc.string({ maxLength: 3 }),
})

test('for any token, the first failing check of the token is verifyPayload’s refusal', async () => {
  const clock = () => now
  const key = await importVerificationKey(registeredKey('p256'), { clock })
  const { material } = await importSigningKey(signingKey('p256'))
  await fc.assert(
    fc.asyncProperty(
      claims,
      fc.option(cut, { freq: 3 }),
      fc.constantFrom('strict' as const, 'lenient' as const),
      fc.constantFrom(undefined, 'https://journal.example'),
      async (payload, damage, policy, issuer) => {
        const signed = await new SignJWT(JSON.parse(JSON.stringify(payload)))
          .setProtectedHeader({ alg: 'ES256' })
          .sign(material)
        const token = damage
          ? signed.slice(0, damage.at) + damage.insert + signed.slice(damage.at + damage.remove)
          : signed
        const options = { keys: key, audience, policy, issuer, clock }
        const refused = await verifyPayload(token, options).then(
          () => undefined,
          (error: unknown) => (isServiceLinkError(error) ? error.code : String(error)),
        )
        const checks = await explainPayload(token, options)
        const failed = checks.find(({ check, outcome }) => outcome === 'failed' && check !== 'partner')
        expect(failed?.code).toBe(refused)
      },
    ),
    { numRuns: 300, examples: [[{ nbf: { toString: {} } }, null, 'strict', undefined]] },
  )
})
