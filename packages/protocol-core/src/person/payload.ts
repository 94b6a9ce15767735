import type { ArgsIssue } from '../errors/command-error.ts'
import { findJsonProblem } from '../text/json-problem.ts'
import { findTextProblem, pathOf, trimId, trimText } from '../text/text-rules.ts'
import { type DateReading, readPlainDate, readWrittenBirthDate } from './parse-date.ts'
import type { Person } from './person.ts'
import { parseGender } from './person-fields.ts'

const sameFields = ['ssn', 'firstname', 'middlename', 'lastname', 'mobile', 'email', 'diagnosis'] as const

/** Turns the partner link's contact into the one person model. A gender that is neither female nor male is kept as sent. */
export function personFromContact(contact: ContactClaims): Person {
  const person: Person = { customId: contact.id }
  if (contact.birthdate !== undefined) person.dateOfBirth = contact.birthdate
  for (const field of sameFields) {
    const text = contact[field]
    if (text !== undefined) person[field] = text
  }
  if (contact.gender !== undefined) {
    const gender = parseGender(contact.gender)
    if (gender) person.gender = gender
    else person.genderAsSent = contact.gender
  }
  return person
}

/** Claims of the partner's own, which the specification does not name. */
export type ExtraClaims = Readonly<Record<string, unknown>>

/** The person in focus ([specification 2.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token)). Empty optional text counts as absent. */
export interface ContactClaims {
  /** The partner's globally unique ID of the person. A national identity number is preferred. */
  readonly id: string
  /** YYYY-MM-DD, a day that exists. */
  readonly birthdate?: string | undefined
  /** National identity number. */
  readonly ssn?: string | undefined
  /** `female` or `male`; another word is kept as sent. */
  readonly gender?: string | undefined
  /** First name. */
  readonly firstname?: string | undefined
  /** Middle name; may be empty. */
  readonly middlename?: string | undefined
  /** Last name. */
  readonly lastname?: string | undefined
  /** Mobile telephone number. */
  readonly mobile?: string | undefined
  /** E-mail address. */
  readonly email?: string | undefined
  /** Diagnosis code. */
  readonly diagnosis?: string | undefined
  /** Other claims. They travel as members of `contact`, beside those above. */
  readonly extra?: ExtraClaims | undefined
}

/** The payload of the partner link ([specification 2.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token)). Empty optional text counts as absent. */
export interface PayloadClaims {
  /** The partner's ID of the organization. */
  readonly organizationId: string
  /** Name of the organization, for people. */
  readonly organizationName?: string | undefined
  /** The partner's ID of the employee: the user who is logged in to the partner's application. */
  readonly employeeId: string
  /** The employee's user name in the partner's application. */
  readonly employeeUsername?: string | undefined
  /** The employee's first name. */
  readonly employeeFirstname?: string | undefined
  /** The employee's last name. */
  readonly employeeLastname?: string | undefined
  /** The employee's e-mail address. */
  readonly employeeEmail?: string | undefined
  /** The person in focus. */
  readonly contact: ContactClaims
  /** Other claims. They travel at the top level of the token, beside those above. */
  readonly extra?: ExtraClaims | undefined
}

/** Names of the claims of [specification 2.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token): of the payload, and of its contact. */
export const claimNames: Readonly<Record<'payload' | 'contact', readonly string[]>> = {
  payload: [
    'organizationId',
    'organizationName',
    'employeeId',
    'employeeUsername',
    'employeeFirstname',
    'employeeLastname',
    'employeeEmail',
    'contact',
  ] satisfies readonly (keyof PayloadClaims)[],
  contact: [
    'id',
    'birthdate',
    'ssn',
    'gender',
    'firstname',
    'middlename',
    'lastname',
    'mobile',
    'email',
    'diagnosis',
  ] satisfies readonly (keyof ContactClaims)[],
}

/** The required claims are the ids. */
const requiredClaims = ['organizationId', 'employeeId', 'id']

/** How claims are read. */
interface ClaimsReader {
  /** Whether whole numbers are taken as ids. */
  readonly takesNumbers: boolean
  readBirthDate(text: string): DateReading
}

/**
 * Reads the claims of the partner link by the rules of `payloadSchema`. A program that signs or verifies loads no schema
 * library for it. Never throws.
 *
 * @param reading `strict`: a `birthdate` in another format than YYYY-MM-DD becomes its date, and one that means no date is absent; or
 *   `lenient`: a whole number as ID also becomes its decimal text. Default `strict`
 * @param ignored names of other claims that are left out, such as those of the token itself
 * @returns the payload, with claims that the specification does not name in `extra`; it counts only when there is no issue
 */
export function readPayload(
  claims: object,
  reading: 'strict' | 'lenient' = 'strict',
  ignored: readonly string[] = [],
): {
  readonly payload: PayloadClaims
  readonly issues: readonly ArgsIssue[]
} {
  const issues: ArgsIssue[] = []
  const reader = { takesNumbers: reading === 'lenient', readBirthDate: readPlainDate }
  const payload: Record<string, unknown> = readClaims(claims, 'payload', [], issues, reader, ignored)
  return { payload: payload as unknown as PayloadClaims, issues }
}

/**
 * Checks the claims that a program is about to sign, as the specification has them: a `birthdate` is YYYY-MM-DD. Loads no reader of
 * other dates. Never throws.
 *
 * @returns the issues that prevent a signature
 */
export function findClaimIssues(claims: object): readonly ArgsIssue[] {
  const issues: ArgsIssue[] = []
  readClaims(claims, 'payload', [], issues, { takesNumbers: false, readBirthDate: readWrittenBirthDate })
  return issues
}

function readClaims(
  claims: object,
  owner: keyof typeof claimNames,
  place: readonly string[],
  issues: ArgsIssue[],
  reader: ClaimsReader,
  ignored: readonly string[] = [],
): Record<string, unknown> {
  const sent = claims as Readonly<Record<string, unknown>>
  const read: Record<string, unknown> = {}
  const names = claimNames[owner]
  const addIssue = (path: readonly string[], problem: string) =>
    issues.push({ path: pathOf([...place, ...path]), problem })
  for (const name of names) {
    const value = sent[name]
    if (name !== 'contact') {
      const claim = readClaim(name, value, reader)
      if (typeof claim === 'string') read[name] = claim
      else if (claim) addIssue([name], claim.problem)
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value))
      read[name] = readClaims(value, 'contact', [name], issues, reader)
    else addIssue([name], value === undefined || value === null ? 'is missing' : 'must be an object')
  }
  const others = Object.keys(sent).filter(name => !names.includes(name) && !ignored.includes(name))
  if (others.length === 0) return read
  const { path, problem } = findJsonProblem(pick(sent, others)) ?? {}
  if (path && problem) addIssue(path, problem)
  const extra = others.filter(name => name !== '__proto__')
  if (extra.length > 0) read.extra = pick(sent, extra)
  return read
}

function pick(members: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map(name => [name, members[name]]))
}

function readClaim(
  name: string,
  value: unknown,
  { takesNumbers, readBirthDate }: ClaimsReader,
): string | { readonly problem: string } | undefined {
  const absent = (problem: string) => (requiredClaims.includes(name) ? { problem } : undefined)
  if (value === undefined || value === null) return absent('is missing')
  if (typeof value === 'number' && takesNumbers && requiredClaims.includes(name))
    // Other numbers are not read as they were written: two ids could become one.
    return Number.isSafeInteger(value)
      ? String(value)
      : { problem: 'must be text: only whole numbers up to 9007199254740991 are taken' }
  if (typeof value !== 'string') return { problem: 'must be text' }
  const text = requiredClaims.includes(name) ? trimId(value) : trimText(value)
  if (text === '') return absent('is empty')
  const problem = findTextProblem(text)
  if (problem !== undefined) return { problem }
  if (name !== 'birthdate') return text
  const birth = readBirthDate(text)
  if (birth.date !== undefined) return birth.date
  return birth.isAbsent ? undefined : { problem: birth.problem }
}

/** Writes a payload as the claims that travel. The opposite of {@link readPayload}. */
export function claimsFromPayload({ extra, contact, ...claims }: PayloadClaims): Record<string, unknown> {
  const { extra: extraOfContact, ...claimsOfContact } = contact
  return { ...claims, contact: { ...claimsOfContact, ...extraOfContact }, ...extra }
}
