import {
  appearanceSchema,
  assertKeyMembers,
  type PartnerRegistration,
  partnerRegistrationSchema,
} from '@service-link/jwt-payload/steps'
import { assertParameter, isObject, ParameterError } from '@service-link/protocol-core/errors'
import { readBy } from '@service-link/protocol-core/person'
import * as z from 'zod/mini'
import { ReceiverOptionError } from './receiver-errors.ts'

/** A registration with its defaults, and its keys as a list. */
export type ReadRegistration = z.output<typeof partnerRegistrationSchema>

const registrationsSchema = z.array(partnerRegistrationSchema)

/**
 * Reads registrations as they come from a file or a database: a list, or one alone.
 *
 * @throws {ReceiverOptionError} if a registration has another shape, or can never work; names each path, such as `1.keys.0.pem`,
 * and no value
 * @throws {ParameterError} if a member is not known or a key's kind is wrong; names the one that is meant
 * @example
 * ```ts
 * import { readRegistrations } from '@service-link/receiver'
 *
 * const registrations = readRegistrations(JSON.parse(fileText))
 * ```
 */
export function readRegistrations(content: unknown): readonly ReadRegistration[] {
  assertParsed('registrations', content)
  const list = [content].flat()
  const [first] = list
  // A promise is refused below, as one.
  if (isObject(first) && !['id', 'name', 'keys', 'then'].some(member => member in first))
    throw new ParameterError('registrations', 'a list of registrations, or one alone', noRegistration)
  for (const [index, registration] of list.entries()) assertMembers(`registrations.${index}`, registration)
  return read('registrations are', registrationsSchema, list)
}

const noRegistration =
  'must be a list of registrations, or one alone. A registration has the members id, name and keys.'

/** {@link readRegistrations} for one registration. */
export function readRegistration(registration: PartnerRegistration): ReadRegistration {
  assertParsed('registration', registration)
  assertMembers('registration', registration)
  return read('registration is', partnerRegistrationSchema, registration)
}

export function assertParsed(name: string, content: unknown): void {
  if (typeof content === 'string' || ArrayBuffer.isView(content))
    throw new ParameterError(name, 'an object', 'is text: give what JSON.parse makes of it.')
  assertParameter(name, content, Array.isArray(content) ? 'list' : 'object')
}

/** Refuses members that are not known. The schema would too, without the name that is meant. */
function assertMembers(name: string, registration: unknown): void {
  const { appearance, keys } = Object(registration)
  assertKnown(name, registration, partnerRegistrationSchema.shape, memberWords)
  assertKnown(`${name}.appearance`, appearance, appearanceSchema.shape)
  for (const [index, key] of [keys ?? []].flat().entries()) assertKeyMembers(`${name}.keys.${index}`, key)
}

/** Other words for members, in lower case. */
const memberWords = {
  ...{ iss: 'issuer', partnerid: 'id', active: 'isActive' },
  ...{ kid: 'keys', certificate: 'keys', certificates: 'keys', secret: 'keys', jwks: 'keys', pem: 'keys' },
  ...{ displayname: 'appearance', logourl: 'appearance', color: 'appearance', landingview: 'appearance' },
}

function assertKnown(name: string, value: unknown, shape: object, synonyms = {}): void {
  const members = Object.fromEntries(Object.keys(shape).map(member => [member, 'any'] as const))
  if (Object(value) === value) assertParameter(name, value, 'closed', members, synonyms)
}

function read<Output>(subject: string, schema: z.ZodMiniType<Output>, content: unknown): Output {
  const { value, issues } = readBy(schema, content)
  if (!issues) return value
  const problems = issues.map(({ path, problem }) => `${path} ${problem}`.trim())
  throw new ReceiverOptionError(`The ${subject} not acceptable: ${problems.join('; ')}.`)
}
