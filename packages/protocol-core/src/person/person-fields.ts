import type { ArgsIssue } from '../errors/command-error.ts'
import { assertParameter, type ParameterKind } from '../errors/parameter-error.ts'
import { findTextProblem, readLooseText, trimId, trimText } from '../text/text-rules.ts'
import { type CultureDecision, readDate, readWrittenBirthDate } from './parse-date.ts'
import type { Gender, Person } from './person.ts'

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

/** Words of programs in the field for a gender, in lower case. */
const genderWords: ReadonlyMap<string, Gender> = new Map([
  ...['female', 'f', 'kvinne', 'kvinna', 'kvinde', 'k'].map(word => [word, 'female'] as const),
  ...['male', 'm', 'mann', 'man', 'mand'].map(word => [word, 'male'] as const),
])

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

/** How the values of a transport are read. */
export interface ReadFieldsOptions {
  /** BCP 47 tag that tells day and month apart where a date does not; `und`: nothing does. Default: the machine's culture. */
  readonly culture?: string | undefined
  /** Gets each optional field that cannot be read, and is left out. Default: nobody. */
  readonly onDropped?: ((issue: ArgsIssue) => void) | undefined
  /** Gets each date whose day and month the culture told apart, where another could have exchanged them. Default: nobody. */
  readonly onNoted?: ((note: ArgsIssue) => void) | undefined
}

/** Says how a culture read a date, without the date. */
export function noteOf(path: string, { culture, order }: CultureDecision): ArgsIssue {
  return { path, problem: `was read as ${order}, the order of the culture ${culture}` }
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
  const person: Person = {}
  for (const { field, name, isRequired } of fields) {
    const { text: sent, problem: typeProblem } = readLooseText(values[name])
    const text = field === 'customId' ? trimId(sent) : sent
    if (text === '' && typeProblem === undefined) {
      if (isRequired) issues.push({ path: name, problem: 'is missing' })
      continue
    }
    const unkept = findTextProblem(text)
    const unread = unkept ?? typeProblem
    const { problem, isAbsent, decided }: FieldReading =
      unread === undefined ? setField(person, field, text, culture) : { problem: unread }
    if (decided) onNoted(noteOf(name, decided))
    if (isAbsent) {
      if (isRequired)
        issues.push({ path: name, problem: 'is missing: the value that was sent means no date' })
      continue
    }
    if (problem === undefined) continue
    if (isRequired || unkept !== undefined) issues.push({ path: name, problem })
    else onDropped({ path: name, problem })
  }
  return { person, issues }
}

/** Kind of each field, for a person whom a caller gives. */
const personKinds: Readonly<Record<keyof Person, ParameterKind>> = {
  customId: 'text?',
  userId: 'number?',
  firstname: 'text?',
  middlename: 'text?',
  lastname: 'text?',
  dateOfBirth: 'text?',
  ssn: 'text?',
  diagnosis: 'text?',
  gender: ['female', 'male', undefined],
  genderAsSent: 'text?',
  email: 'text?',
  mobile: 'text?',
  phoneHome: 'text?',
  phoneWork: 'text?',
  address: 'text?',
  zipcode: 'text?',
  location: 'text?',
  country: 'text?',
  source: 'text?',
  profileData: 'list?',
}

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
  assertParameter(parameter, person, 'closed', personKinds)
  const values: (readonly [string, string, PersonFieldName['field']])[] = []
  const issues: ArgsIssue[] = []
  for (const { field, name, isRequired } of fields) {
    const text = trimText(person[field] ?? '')
    const problem = text ? findFieldProblem(field, text) : isRequired ? 'is missing' : undefined
    if (problem) issues.push({ path: field, problem })
    else if (text) values.push([name, text, field])
  }
  return { values, issues }
}

/** Dates are ISO 8601 only: a program knows no culture of its reader. */
function findFieldProblem(field: PersonFieldName['field'], text: string): string | undefined {
  return findTextProblem(text) ?? (field === 'dateOfBirth' ? readWrittenBirthDate(text).problem : undefined)
}

/** How a value was read: a problem, or nothing that a sender must know. */
interface FieldReading {
  readonly problem?: string | undefined
  readonly isAbsent?: boolean | undefined
  readonly decided?: CultureDecision | undefined
}

function setField(
  person: Person,
  field: PersonFieldName['field'],
  text: string,
  culture?: string,
): FieldReading {
  if (field === 'gender') {
    const gender = genderWords.get(text.toLowerCase())
    if (!gender) return { problem: 'must be female, male, F or M' }
    person.gender = gender
    return {}
  }
  if (field === 'dateOfBirth') {
    const reading = readDate(text, culture)
    if (reading.date !== undefined) person.dateOfBirth = reading.date
    return reading
  }
  person[field] = text
  return {}
}
