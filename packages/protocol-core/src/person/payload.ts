import * as z from 'zod/mini'
import { isObject } from '../errors/parameter-error.ts'
import { described } from '../schema/facts.ts'
import { looseObject } from '../schema/object.ts'
import { missingOr, optionalText, requiredId } from '../schema/text-field.ts'
import { findJsonProblem } from '../text/json-problem.ts'
import { readPlainDate, readWrittenBirthDate } from './parse-date.ts'
import { describeField, fieldsIn, type PersonFieldKey, type personFields } from './person-fields.ts'
import type { ContactClaims, EndClaims, PayloadClaims, Person } from './person-types.ts'
import { parseGender } from './read-person.ts'

/** Claims of the partner's own, which the specification does not name. */
export type ExtraClaims = Readonly<Record<string, unknown>>

/** A text that may be left out, read by one of the readers of dates. */
function optionalDate(read: typeof readPlainDate) {
  return z.optional(
    z.pipe(
      optionalText,
      z.transform((sent, context): string | undefined => {
        if (sent === undefined) return undefined
        const { date, problem, isAbsent } = read(sent)
        if (problem !== undefined && !isAbsent)
          context.issues.push({ code: 'custom', message: problem, input: sent })
        return date
      }),
    ),
  )
}

/** An id of a lenient partner. Other numbers are not read as they were written: two ids could become one. */
const idOrNumber = z.pipe(
  z.transform((sent, context): unknown => {
    if (typeof sent !== 'number') return sent
    if (Number.isSafeInteger(sent)) return String(sent)
    const message = 'must be text: only whole numbers up to 9007199254740991 are taken'
    context.issues.push({ code: 'custom', message, input: sent })
    return sent
  }),
  requiredId,
)

/** A schema of claims, with those of its members. */
type ClaimsSchema<Claims> = z.ZodMiniType<Claims> & {
  readonly def: {
    readonly shape: { readonly [Name in Exclude<keyof Claims, 'extra'>]-?: z.ZodMiniType<Claims[Name]> }
  }
}

/** An object whose further members are kept in `extra`. Their texts and names follow the rule of every text. */
function withExtra<Shape extends z.core.$ZodShape>(shape: Shape) {
  type Claims = z.output<z.ZodMiniObject<Shape, z.core.$strip>> & {
    /** Claims of the partner’s own. */
    extra?: ExtraClaims | undefined
  }
  const split = z.check<ExtraClaims>(
    payload => {
      const input = payload.value
      const claims = splitClaims(input, shape)
      payload.value = claims
      const found = claims.extra && findJsonProblem(claims.extra)
      if (found) payload.issues.push({ code: 'custom', path: [...found.path], message: found.problem, input })
    },
    // Runs also when other members have issues, so that a refusal names all.
    { when: ({ value }) => isObject(value) },
  )
  const claims = looseObject(shape, { error: missingOr('must be an object') })
  return claims.check(split) as unknown as ClaimsSchema<Claims>
}

/** Leaves out what is absent, and puts claims that a shape does not have into `extra`. */
function splitClaims(claims: ExtraClaims, shape: object): ExtraClaims & { readonly extra?: ExtraClaims } {
  const known: Record<string, unknown> = {}
  let extra: Record<string, unknown> | undefined
  for (const name in claims) {
    if (!Object.hasOwn(shape, name)) {
      extra ??= {}
      extra[name] = claims[name]
    } else if (claims[name] !== undefined) known[name] = claims[name]
  }
  return extra ? { ...known, extra } : known
}

/** How claims are read. */
interface ClaimKinds {
  readonly id: typeof requiredId | typeof idOrNumber
  readonly date: ReturnType<typeof optionalDate>
}

type ContactKinds = ClaimKinds & Readonly<Record<'text' | 'gender', typeof optionalText>>

type ContactShape = {
  -readonly [Field in PersonFieldKey as (typeof personFields)[Field] extends {
    readonly contact: infer Name extends string
  }
    ? Name
    : never]: (typeof personFields)[Field]['kind'] extends infer Kind extends keyof ContactKinds
    ? ContactKinds[Kind]
    : never
}

function contactOf(kinds: ClaimKinds) {
  const all = {
    ...kinds,
    text: optionalText,
    gender: optionalText,
    userId: undefined,
    profileData: undefined,
  }
  const shape = Object.fromEntries(
    fieldsIn('contact').flatMap(row => {
      const schema = all[row.kind]
      return schema ? [[row.name, described(schema as z.ZodMiniType, describeField(row, 'contact'))]] : []
    }),
  )
  return withExtra(shape as ContactShape)
}

function employeeOf(id: ClaimKinds['id']) {
  return {
    organizationId: described(id, 'The partner’s ID of the organization'),
    organizationName: described(optionalText, 'Name of the organization, for people'),
    employeeId: described(
      id,
      'The partner’s ID of the employee: the user who is logged in to the partner’s application',
    ),
    employeeUsername: described(optionalText, 'The employee’s user name in the partner’s application'),
    employeeFirstname: described(optionalText, 'The employee’s first name'),
    employeeLastname: described(optionalText, 'The employee’s last name'),
    employeeEmail: described(optionalText, 'The employee’s e-mail address'),
  }
}

function payloadOf(kinds: ClaimKinds) {
  return withExtra({
    ...employeeOf(kinds.id),
    contact: described(contactOf(kinds), 'The person in focus'),
  })
}

/** The two ends that a partner can post. */
const ends = ['context', 'session'] as const

// Of zod they need what other claims need: schemas of another kind make the bundles of those who sign larger.
const endKind = z.transform((value, context): (typeof ends)[number] => {
  const end = ends.find(known => known === value)
  if (!end) context.issues.push({ code: 'custom', message: 'must be context or session', input: value })
  return end ?? 'context'
})
const noContact = z.optional(
  z.transform((input, context): undefined => {
    context.issues.push({ code: 'custom', message: 'must be absent beside end', input })
  }),
)

function endOf(id: ClaimKinds['id']) {
  const schema = withExtra({
    ...employeeOf(id),
    end: described(endKind, 'context: nobody is in focus any more; session: the employee is signed out, too'),
    // Named, so that it is no claim of the partner's own.
    contact: noContact,
  })
  return schema as ClaimsSchema<EndClaims>
}

const strict = { id: requiredId, date: optionalDate(readPlainDate) }

/**
 * The person in focus as the partner link carries it (spec 2.1). A `birthdate` in another format than YYYY-MM-DD becomes its date;
 * one that means no date, and empty optional text, are absent. Unknown members are kept in `extra`.
 */
export const contactSchema: ClaimsSchema<ContactClaims> = contactOf(strict)

/**
 * Claims of the partner link (spec 2.1): the employee who is logged in to the partner's application, the
 * organization, and the contact in focus, see {@link contactSchema}. Unknown claims are kept in `extra`.
 */
export const payloadSchema: ClaimsSchema<PayloadClaims> = payloadOf(strict)

/** {@link payloadSchema} that also takes a whole number as an id. */
export const lenientPayloadSchema: ClaimsSchema<PayloadClaims> = payloadOf({ ...strict, id: idOrNumber })

/** {@link payloadSchema} of a program that is about to sign: a `birthdate` is a date of birth, YYYY-MM-DD and nothing else. */
export const writtenPayloadSchema: ClaimsSchema<PayloadClaims> = payloadOf({
  id: requiredId,
  date: optionalDate(readWrittenBirthDate),
})

/** Claims of a signed end: those of the partner link without a contact, and `end`. */
export const endSchema: ClaimsSchema<EndClaims> = endOf(requiredId)

/** {@link endSchema} that also takes a whole number as an id. */
export const lenientEndSchema: ClaimsSchema<EndClaims> = endOf(idOrNumber)

/** Whether claims are those of an end. Each value of `end` counts: an end that cannot be read is no payload without one. */
export function isEnd<Claims extends object>(claims: Claims): claims is Claims & { readonly end: unknown } {
  return Object.hasOwn(claims, 'end') && Object(claims).end !== undefined
}

/** Names of the claims that the partner link has: of a payload or an end, or of its contact. */
export function claimNamesOf(owner: 'payload' | 'contact'): readonly string[] {
  // Not `contactSchema`: it would put its reader of dates into the bundles of those who sign.
  const { shape } = writtenPayloadSchema.def
  return owner === 'payload'
    ? [...Object.keys(shape), 'end']
    : Object.keys((shape.contact as typeof contactSchema).def.shape)
}

/** Writes a payload or an end as the claims that travel. */
export function claimsFromPayload({ extra, ...claims }: PayloadClaims | EndClaims): Record<string, unknown> {
  if (!('contact' in claims) || claims.contact === undefined) return { ...claims, ...extra }
  const { extra: extraOfContact, ...claimsOfContact } = claims.contact
  return { ...claims, contact: { ...claimsOfContact, ...extraOfContact }, ...extra }
}

/** Turns the partner link's contact into the one person model. A gender that is neither female nor male is kept as sent. */
export function personFromContact(contact: ContactClaims): Person {
  const claims: ExtraClaims = { ...contact }
  const person: Record<string, unknown> = {}
  for (const { field, name, kind } of contactFields) {
    const value = claims[name]
    if (value === undefined) continue
    const gender = kind === 'gender' ? parseGender(String(value)) : undefined
    person[kind === 'gender' && !gender ? 'genderAsSent' : field] = gender ?? value
  }
  return person
}

const contactFields = fieldsIn('contact')
