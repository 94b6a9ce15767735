import * as z from 'zod/mini'
import type { ArgsIssue } from '../errors/command-error.ts'
import { issuesOf } from '../text/issues.ts'
import { findTextProblem, missingOr, trimmedText } from '../text/text-field.ts'
import { readDate, readIsoBirthDate } from './parse-date.ts'
import { profileDataSchema } from './profile-data.ts'

/**
 * The person in focus, the same value whichever transport it came by (design: person, one model). Made at the edge, in
 * the transport, and never translated again. Absent text is absent, never empty.
 */
export const personSchema = z.strictObject({
  /** Identifier of the person in the partner's system. Not unique in the service. */
  customId: z.optional(trimmedText),
  /** Identifier of the person in the service; 0 for a new person. */
  userId: z.optional(z.int().check(z.gte(0))),
  firstname: z.optional(trimmedText),
  middlename: z.optional(trimmedText),
  lastname: z.optional(trimmedText),
  /** `YYYY-MM-DD`, in a year from 1700 to 2399. */
  dateOfBirth: z.optional(
    z.string({ error: missingOr('must be text') }).check(
      z.superRefine((value, context) => {
        const { date, problem = 'must be written YYYY-MM-DD' } = readIsoBirthDate(value)
        if (date !== value) context.addIssue({ code: 'custom', message: problem })
      }),
      z.meta({ format: 'date' }),
    ),
  ),
  /** National identity number. */
  ssn: z.optional(trimmedText),
  /** Diagnosis code. */
  diagnosis: z.optional(trimmedText),
  gender: z.optional(z.enum(['female', 'male'])),
  /** The partner link's gender as sent, if it is neither female nor male. */
  genderAsSent: z.optional(trimmedText),
  email: z.optional(trimmedText),
  mobile: z.optional(trimmedText),
  phoneHome: z.optional(trimmedText),
  phoneWork: z.optional(trimmedText),
  address: z.optional(trimmedText),
  zipcode: z.optional(trimmedText),
  location: z.optional(trimmedText),
  country: z.optional(trimmedText),
  /** The sender's system that the person comes from. */
  source: z.optional(trimmedText),
  profileData: z.optional(profileDataSchema),
})

/** See {@link personSchema}. */
export type Person = z.output<typeof personSchema>

/** Gender as the service keeps it. */
export type Gender = 'female' | 'male'

/**
 * Reads `female`, `male`, `F` or `M` in any case ([specification 4.5](https://github.com/service-link/service-link/blob/main/docs/reference/pipe.md)).
 *
 * @returns the gender, or `undefined` when the text is another word
 */
export function parseGender(text: string): Gender | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'f' || word === 'female') return 'female'
  return word === 'm' || word === 'male' ? 'male' : undefined
}

/** The name of a person's field in a transport that carries only text. */
export interface PersonFieldName {
  readonly field: Exclude<keyof Person, 'profileData' | 'genderAsSent' | 'userId'>
  /** The transport's name of the field. */
  readonly name: string
  readonly isRequired?: boolean
}

/** Spelling of each field on the command line, in the XML file and on the pipe (design: person, one model). */
const spellings: readonly (readonly [PersonFieldName['field'], ...(string | undefined)[]])[] = [
  ['customId', 'id', 'source_customerno'],
  ['firstname', 'firstname', 'firstname', 'firstname'],
  ['lastname', 'lastname', 'lastname', 'lastname'],
  ['dateOfBirth', 'dateofbirth', 'born', 'dateofbirth'],
  ['email', 'email', 'email', 'email'],
  ['mobile', 'mobile', 'mobile', 'mobile'],
  ['phoneHome', 'phonehome', 'phone_home', 'phonehome'],
  ['phoneWork', 'phonework', 'phone_work', 'phonework'],
  ['address', 'address', 'address', 'address'],
  ['zipcode', 'zipcode', 'postalcode', 'zipcode'],
  ['location', 'location', 'place', 'location'],
  ['country', 'country', 'country', 'country'],
  ['gender', 'gender', undefined, 'gender'],
  ['source', undefined, 'source', 'source'],
]

/** The table of one transport for {@link readPersonFields} and {@link writePersonFields}. */
export function personFieldNames(
  transport: 'arguments' | 'xml' | 'pipe',
  required: readonly PersonFieldName['field'][],
): readonly PersonFieldName[] {
  const column = { arguments: 1, xml: 2, pipe: 3 }[transport]
  return spellings.flatMap(spelling => {
    const [field, name] = [spelling[0], spelling[column]]
    return name === undefined ? [] : [{ field, name, isRequired: required.includes(field) }]
  })
}

/**
 * Reads a person out of a transport's text values: trims, drops empty optional text, reads date and gender, and names
 * what is missing. Used by each transport with its own table of names; the result is the one model. Never throws.
 *
 * @param values the transport's canonical name → text as sent
 * @param fields the transport's table
 * @param culture BCP 47 tag whose order of day and month is tried after ISO 8601
 * @returns the person so far as it could be read, and an issue for each value that is missing or cannot be read; the
 *   person counts only when there is none
 */
export function readPersonFields(
  values: Readonly<Record<string, string | undefined>>,
  fields: readonly PersonFieldName[],
  culture: string,
): { readonly person: Person; readonly issues: readonly ArgsIssue[] } {
  const issues: ArgsIssue[] = []
  const person: Person = {}
  for (const { field, name, isRequired } of fields) {
    const text = values[name]?.trim()
    if (!text) {
      if (isRequired) issues.push({ path: name, problem: 'is missing' })
      continue
    }
    const problem = setField(person, field, text, culture)
    if (problem) issues.push({ path: name, problem })
  }
  return { person, issues }
}

/**
 * Writes a person as a transport's text values, the counterpart of {@link readPersonFields}: trims, leaves out what is
 * absent, empty or not in the table, and names what is missing or not acceptable as the transport names it. Never throws.
 *
 * @param fields the transport's table
 * @returns name and text of each field that is filled, in the table's order, and an issue for each that is missing or not
 *   acceptable, those that are not in the table included; the values count only when there is none
 */
export function writePersonFields(
  person: Person,
  fields: readonly PersonFieldName[],
): {
  readonly values: readonly (readonly [name: string, text: string])[]
  readonly issues: readonly ArgsIssue[]
} {
  const filled = Object.entries(person).map(([field, value]) => [field, trimmed(value)] as const)
  const sent: Person = Object.fromEntries(filled.filter(([, value]) => value !== undefined))
  const missing = fields.filter(({ field, isRequired }) => isRequired && sent[field] === undefined)
  const checked = personSchema.safeParse(sent)
  const nameOf = new Map<string, string>(fields.map(({ field, name }) => [field, name]))
  return {
    values: fields.flatMap(({ field, name }) => {
      const text = checked.data?.[field]
      return text === undefined ? [] : [[name, text] as const]
    }),
    issues: [
      ...missing.map(({ name }) => ({ path: name, problem: 'is missing' })),
      ...(checked.success ? [] : issuesOf(checked.error)).map(({ path, problem }) => ({
        path: nameOf.get(path) ?? path,
        problem,
      })),
    ],
  }
}

/** Empty text and null count as absent. */
function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() || undefined : (value ?? undefined)
}

function setField(
  person: Person,
  field: PersonFieldName['field'],
  text: string,
  culture: string,
): string | undefined {
  const textProblem = findTextProblem(text)
  if (textProblem) return textProblem
  if (field === 'gender') {
    const gender = parseGender(text)
    if (!gender) return 'must be female, male, F or M'
    person.gender = gender
    return undefined
  }
  if (field === 'dateOfBirth') {
    const { date, problem } = readDate(text, culture)
    if (date !== undefined) person.dateOfBirth = date
    return problem
  }
  person[field] = text
  return undefined
}
