import type * as z from 'zod/mini'
import type { ArgsIssue } from '../errors/command-error.ts'
import { assertParameter, type ParameterKind } from '../errors/parameter-error.ts'
import { readBy } from '../schema/read.ts'
import { findIdProblem, findTextProblem, readLooseText, trimId, trimText } from '../text/text-rules.ts'
import { fieldSynonyms } from './field-synonyms.ts'
import { type CultureDecision, readDate } from './parse-date.ts'
import type { Gender } from './person.ts'
import { type PersonFieldKind, type PersonFieldName, personFields } from './person-fields.ts'
import type { Person } from './person-types.ts'
import { textKinds } from './text-kinds.ts'

/**
 * Reads `female`, `male`, `F` or `M` in any case (spec 4.5).
 *
 * @returns the gender, or `undefined` when the text is another word
 */
export function parseGender(text: string): Gender | undefined {
  const word = text.trim().toLowerCase()
  if (word === 'f' || word === 'female') return 'female'
  return word === 'm' || word === 'male' ? 'male' : undefined
}

/** Words of programs in the field for a gender, in lower case. */
const genderWords: ReadonlyMap<string, Gender> = new Map([
  ...['female', 'f', 'kvinne', 'kvinna', 'kvinde', 'k'].map(word => [word, 'female'] as const),
  ...['male', 'm', 'mann', 'man', 'mand'].map(word => [word, 'male'] as const),
])

/** How the values of a transport are read. */
export interface ReadFieldsOptions {
  /** BCP 47 tag that tells day and month apart where a date does not; `und`: nothing does. The engine must know it. Default: the machine's culture. */
  readonly culture?: string | undefined
  /** Gets each optional field that cannot be read, and is left out. Default: nobody. */
  readonly onDropped?: ((issue: ArgsIssue) => void) | undefined
  /**
   * Gets each date whose day and month the culture told apart, where another could have exchanged them, and on the pipe each
   * argument that was ignored. Default: nobody.
   */
  readonly onNoted?: ((note: ArgsIssue) => void) | undefined
}

/** Says how a culture read a date, without the date. */
export function noteOf(path: string, { culture, order }: CultureDecision): ArgsIssue {
  const problem = `was read as ${order}, the order of the culture ${culture}; write YYYY-MM-DD, which needs none`
  return { path, problem }
}

/**
 * Reads a person out of a transport's values: trims, drops empty optional text, reads date and gender, and names what is
 * missing. A number counts as its decimal text. Used by each transport with its own table of names; the result is the one
 * model. Never throws.
 *
 * An optional field that cannot be read is left out. Text that nothing can keep, such as U+0000, is an issue in any field.
 *
 * @param values the transport's canonical name → value as sent
 * @param fields the transport's table
 * @returns the person so far as it could be read, and an issue for each value that is missing or cannot be read; the
 *   person counts only when there is none
 */
export function readPersonFields(
  values: Readonly<Record<string, unknown>>,
  fields: readonly PersonFieldName[],
  { culture, onDropped = () => undefined, onNoted = () => undefined }: ReadFieldsOptions,
): { readonly person: Person; readonly issues: readonly ArgsIssue[] } {
  const issues: ArgsIssue[] = []
  const read: Record<string, string> = {}
  for (const { field, name, isRequired } of fields) {
    const { kind } = personFields[field]
    const { text: sent, problem: typeProblem } = readLooseText(values[name])
    const text = kind === 'id' ? trimId(sent) : sent
    if (text === '' && typeProblem === undefined) {
      if (isRequired) issues.push({ path: name, problem: 'is missing' })
      continue
    }
    const unkept = findTextProblem(text)
    const unread = unkept ?? typeProblem
    const { value, problem, isAbsent, decided } =
      unread === undefined ? readText(kind, text, culture) : { problem: unread }
    if (decided) onNoted(noteOf(name, decided))
    if (value !== undefined) read[field] = value
    else if (isAbsent && isRequired)
      issues.push({ path: name, problem: 'is missing: the value that was sent means no date' })
    else if (isAbsent || problem === undefined) continue
    else if (isRequired || unkept !== undefined) issues.push({ path: name, problem })
    else onDropped({ path: name, problem })
  }
  return { person: read as Person, issues }
}

/** The value of a field that a text stands for, or why it stands for none. */
interface TextReading {
  readonly value?: string | undefined
  readonly problem?: string | undefined
  readonly isAbsent?: boolean | undefined
  readonly decided?: CultureDecision | undefined
}

function readText(kind: PersonFieldKind, text: string, culture: string | undefined): TextReading {
  if (kind === 'date') {
    const { date: value, ...rest } = readDate(text, culture)
    return { value, ...rest }
  }
  if (kind !== 'gender') return { value: text }
  const value = genderWords.get(text.toLowerCase())
  return value === undefined ? { problem: 'must be female, male, F or M' } : { value }
}

const parameterKinds: Readonly<Record<PersonFieldKind, ParameterKind>> = {
  id: 'text?',
  text: 'text?',
  date: 'text?',
  gender: ['female', 'male', undefined],
  userId: 'number?',
  profileData: 'list?',
}

/** Kind of each field, for a person whom a caller gives. */
const personMembers = Object.fromEntries(
  Object.entries(personFields).map(([field, { kind }]) => [field, parameterKinds[kind]]),
)

const synonyms = /* @__PURE__ */ fieldSynonyms()

/**
 * Writes a person as a transport's text values, the counterpart of {@link readPersonFields}: trims, and leaves out what is
 * absent, empty or not in the table.
 *
 * @param parameter name of the person, as the documentation of the caller spells it
 * @param fields the transport's table
 * @returns the transport's name, text and field of each that is filled, in the table's order, and an issue for each that is missing or not
 *   acceptable, with the name of the field as its path; the values count only when there is none
 * @throws {ParameterError} when a field is not known or is of another kind
 */
export function writePersonFields(
  parameter: string,
  person: Person,
  fields: readonly PersonFieldName[],
): {
  readonly values: readonly (readonly [name: string, text: string, field: PersonFieldName['field']])[]
  readonly issues: readonly ArgsIssue[]
} {
  assertParameter(parameter, person, 'closed', personMembers, synonyms)
  const values: (readonly [string, string, PersonFieldName['field']])[] = []
  const issues: ArgsIssue[] = []
  for (const { field, name, isRequired } of fields) {
    const text = trimText(person[field] ?? '')
    const { kind } = personFields[field]
    // By the schema, dates are ISO 8601 only: a program knows no culture of its reader.
    const [issue] = text ? (readBy<z.ZodMiniType>(textKinds[kind], text).issues ?? []) : []
    const missing = !text && isRequired ? 'is missing' : undefined
    const problem = issue?.problem ?? missing ?? (text && kind === 'id' ? findIdProblem(text) : undefined)
    if (problem) issues.push({ path: field, problem })
    else if (text) values.push([name, text, field])
  }
  return { values, issues }
}
