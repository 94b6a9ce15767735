import {
  type ImportVerificationKeyOptions,
  importVerificationKey,
  type VerificationKey,
} from '@service-link/jwt-payload'
import {
  appearanceSchema,
  assertImportOptions,
  atPath,
  keyRegistrationSchema,
  type PartnerAppearance,
  type PartnerRegistration,
  partnerRegistrationSchema,
} from '@service-link/jwt-payload/steps'
import { assertParameter } from '@service-link/protocol-core/errors'
import { issuesOf } from '@service-link/protocol-core/person'
import * as z from 'zod/mini'
import { ReceiverOptionError } from './receiver-errors.ts'

type ParsedRegistration = z.output<typeof partnerRegistrationSchema>

/** A registered partner, with imported keys. The members are those of its registration. */
export interface Partner
  extends Readonly<
    Omit<ParsedRegistration, 'issuer' | 'keys' | 'appearance' | 'frameOrigins' | 'scriptOrigins'>
  > {
  readonly issuer: string | undefined
  readonly keys: readonly VerificationKey[]
  readonly appearance: PartnerAppearance
  readonly frameOrigins: readonly string[]
  readonly scriptOrigins: readonly string[]
}

/** The part of a partner that the page gets. */
export type ShownPartner = Pick<Partner, 'id' | 'name' | 'appearance'>

/** The part of a partner that stays with a delivery. */
export type DeliveryPartner = Pick<Partner, 'id' | 'name' | 'appearance' | 'frameOrigins'>

/**
 * Imports a registration's keys. Refuses a certificate that is not valid now, which is a mistake in a new registration. For a
 * registration that was accepted before, such as at a restart, give `validity: 'use'`: an expired certificate then does not
 * keep the service from starting, and is refused at each use.
 *
 * @throws {KeyImportError} if a key cannot be used; `path` says which, such as `keys.0`
 * @throws {CertificateValidityError} if a certificate is not valid now, with its thumbprints and `path`; not under
 * `validity: 'use'`
 * @throws {ReceiverOptionError} if the registration has another shape; names each path, and no value
 * @throws {ParameterError} if a member of the registration or an option is not known; names the near one
 */
export async function importPartner(
  registration: PartnerRegistration,
  options: ImportVerificationKeyOptions = {},
): Promise<Partner> {
  assertImportOptions(options)
  assertKnown('registration', registration)
  return importKeys(parseRegistration(partnerRegistrationSchema, registration), 'keys', options)
}

/** {@link importPartner} for several at once; paths begin with the index, such as `1.keys.0`. */
export async function importPartners(
  registrations: readonly PartnerRegistration[],
  options: ImportVerificationKeyOptions = {},
): Promise<readonly Partner[]> {
  assertImportOptions(options)
  for (const [index, registration] of Object.entries(Object(registrations)))
    assertKnown(`registrations.${index}`, registration)
  const parsed = parseRegistration(z.array(partnerRegistrationSchema), registrations)
  return Promise.all(parsed.map((registration, index) => importKeys(registration, `${index}.keys`, options)))
}

/** Refuses members that are not known. The schema would too, without the name that is meant. */
function assertKnown(name: string, registration: unknown): void {
  const { appearance, keys } = Object(registration)
  assertMembers(name, registration, partnerRegistrationSchema.shape)
  assertMembers(`${name}.appearance`, appearance, appearanceSchema.shape)
  const ofKeys = Object.assign({}, ...keyRegistrationSchema.def.options.map(({ shape }) => shape))
  if (Array.isArray(keys))
    for (const [index, key] of keys.entries()) assertMembers(`${name}.keys.${index}`, key, ofKeys)
}

function assertMembers(name: string, value: unknown, shape: object): void {
  const members = Object.fromEntries(Object.keys(shape).map(member => [member, 'any'] as const))
  if (Object(value) === value) assertParameter(name, value, 'closed', members)
}

function parseRegistration<Output>(schema: z.ZodMiniType<Output>, registration: unknown): Output {
  // zod needs the input to tell a missing value from a wrong type. No message holds the input.
  const parsed = schema.safeParse(registration, { reportInput: true })
  if (parsed.success) return parsed.data
  const problems = issuesOf(parsed.error).map(({ path, problem }) => `${path} ${problem}`.trim())
  throw new ReceiverOptionError(`The registration is not acceptable: ${problems.join('; ')}.`)
}

async function importKeys(
  { keys, issuer, ...registration }: ParsedRegistration,
  path: string,
  options: ImportVerificationKeyOptions,
): Promise<Partner> {
  const imported = keys.map((key, index) => atPath(`${path}.${index}`, importVerificationKey(key, options)))
  return { ...registration, issuer, keys: await Promise.all(imported) }
}
