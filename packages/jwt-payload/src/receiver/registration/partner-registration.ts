import { issuesOf } from '@service-link/protocol-core'
import { z } from 'zod'
import { CertificateValidityError, KeyImportError } from '../../errors/key-errors.ts'
import { payloadAlgorithms } from '../../keys/algorithms.ts'
import {
  type ImportVerificationKeyOptions,
  importVerificationKey,
} from '../../keys/import-verification-key.ts'
import type { Partner } from '../ports/partners.ts'
import { ReceiverOptionError } from '../receiver-errors.ts'
import { appearanceSchema, frameOriginSchema } from './partner-appearance.ts'

const keyOptions = {
  kid: z.string().min(1).max(256).optional(),
  algorithms: z.array(z.enum(payloadAlgorithms)).min(1).optional(),
}

const pem = z.string().regex(/-----BEGIN /, { error: 'must be PEM text' })

/** A key as a registration writes it in JSON. */
export const keyRegistrationSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('x509'), pem, ...keyOptions }),
  z.strictObject({ kind: z.literal('spki'), pem, ...keyOptions }),
  z.strictObject({
    kind: z.literal('jwk'),
    jwk: z.looseObject({ kty: z.string(), kid: z.string().exactOptional(), alg: z.string().exactOptional() }),
    ...keyOptions,
  }),
  z.strictObject({ kind: z.literal('jwks'), url: z.url(), ...keyOptions }),
  z.strictObject({ kind: z.literal('secret'), secret: z.string(), ...keyOptions }),
])

/** A `kid` that meant two secrets would leave it open with which of them a token was signed. */
function assertOneSecretEach(
  keys: readonly z.output<typeof keyRegistrationSchema>[],
  context: z.RefinementCtx,
): void {
  const kids = new Set<string>()
  for (const [index, { kind, kid }] of keys.entries()) {
    if (kind !== 'secret' || kid === undefined) continue
    if (kids.has(kid))
      context.addIssue({
        code: 'custom',
        path: [index, 'kid'],
        message: 'is that of another secret; give each its own',
      })
    kids.add(kid)
  }
}

/** A partner's registration as JSON: an element of the file that `PARTNERS_FILE` names. */
export const partnerRegistrationSchema = z.strictObject({
  /** The service's own identifier of the partner. */
  id: z
    .string()
    .regex(/^[\w.-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, dots, underscores or hyphens' }),
  name: z.string().min(1).max(256),
  /** The only `iss` that its tokens may carry. */
  issuer: z.string().min(1).max(1024).optional(),
  policy: z.enum(['strict', 'lenient']).default('strict'),
  isActive: z.boolean().default(true),
  keys: z.array(keyRegistrationSchema).superRefine(assertOneSecretEach),
  appearance: appearanceSchema.default({}),
  /** What a post gets whose `Accept` prefers neither HTML nor JSON: the page, or a one-time URL. */
  answer: z.enum(['page', 'link']).default('page'),
  /** Origins whose pages may show the answer in a frame, such as `https://journal.example`. */
  frameOrigins: z.array(frameOriginSchema).max(20).default([]),
  /** Posts that are let through in a minute. */
  maxPostsPerMinute: z.int().min(1).max(1_000_000).default(6000),
  /** Whether its `contact.id` is the person's national identity number (specification 2.1), where there is no `contact.ssn`. */
  contactIdIsSsn: z.boolean().default(false),
})

/** See {@link partnerRegistrationSchema}. */
export type PartnerRegistration = z.input<typeof partnerRegistrationSchema>

/**
 * Imports a registration's keys. A new one is refused with a certificate that is not valid now: that is a mistake, which can be
 * told at once. Who loads a registration again that was taken before, such as at a restart, gives `validity: 'use'`: what has
 * expired since must not keep the service from starting; it is refused whenever it is used.
 *
 * @throws {KeyImportError} when a key cannot be used; `path` says which, such as `keys.0`
 * @throws {CertificateValidityError} when a certificate has expired or is not valid yet, with its thumbprints and `path`; not under
 * `validity: 'use'`
 * @throws {ReceiverOptionError} when the registration has another shape; names each path, and no value
 */
export async function importPartner(
  registration: PartnerRegistration,
  options: ImportVerificationKeyOptions = {},
): Promise<Partner> {
  return importKeys(parseRegistration(partnerRegistrationSchema, registration), 'keys', options)
}

/** {@link importPartner} for several at once; paths begin with the index, such as `1.keys.0`. */
export async function importPartners(
  registrations: readonly PartnerRegistration[],
  options: ImportVerificationKeyOptions = {},
): Promise<readonly Partner[]> {
  const parsed = parseRegistration(z.array(partnerRegistrationSchema), registrations)
  return Promise.all(parsed.map((registration, index) => importKeys(registration, `${index}.keys`, options)))
}

function parseRegistration<Output>(schema: z.ZodType<Output>, registration: unknown): Output {
  // The input tells a missing value from one of a wrong type; no message holds it.
  const parsed = schema.safeParse(registration, { reportInput: true })
  if (parsed.success) return parsed.data
  const problems = issuesOf(parsed.error).map(({ path, problem }) => `${path} ${problem}`.trim())
  throw new ReceiverOptionError(`The registration is not acceptable: ${problems.join('; ')}.`)
}

async function importKeys(
  { keys, issuer, ...registration }: z.output<typeof partnerRegistrationSchema>,
  path: string,
  options: ImportVerificationKeyOptions,
): Promise<Partner> {
  const imported = keys.map(async (key, index) => {
    try {
      return await importVerificationKey(key, options)
    } catch (error) {
      if (!(error instanceof KeyImportError || error instanceof CertificateValidityError)) throw error
      throw error.with({ path: `${path}.${index}` })
    }
  })
  return { ...registration, issuer, keys: await Promise.all(imported) }
}
