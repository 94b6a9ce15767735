import type { LaunchPerson } from '@service-link/protocol-core'
import { assertBrand, type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { ArgsError, type ArgsIssue, assertParameter } from '@service-link/protocol-core/errors'
import {
  findTextProblem,
  personSynonyms,
  trimText,
  writePersonFields,
} from '@service-link/protocol-core/person'
import { findForbiddenCharacter } from './check-xml.ts'
import { personElements } from './parse-xml-input.ts'
import { XmlCharacterError } from './xml-error.ts'

/** Content of the file: at least a person or a query. */
export interface BuildXmlOptions {
  /**
   * Person to select or create; needs `customId`, `firstname`, `lastname` and `dateOfBirth`, or the fields that `brand` names. A literal with a
   * field that the file does not carry, such as `gender`, does not compile; otherwise such fields are left out.
   */
  readonly person?: LaunchPerson<'xml'> | undefined
  /** Text of an exercise query. */
  readonly queryExercises?: string | undefined
  /** Text of a workout query. */
  readonly queryWorkouts?: string | undefined
  /** Whether the wrapper deletes the file after taking its commands. Default `true`. */
  readonly deleteAfterRead?: boolean | undefined
  /** Names the root element and the required fields of a person. Default: the brand of the specification, `serviceinput`. */
  readonly brand?: Brand | undefined
}

const subject = 'Content of the XML file'

/**
 * Writes an XML file for the wrapper (spec 4.4). Store it as UTF-8, with or without a byte-order mark.
 *
 * @returns the file's text; `parseXmlInput` reads it back
 * @throws {ParameterError} when an option or a field of the person is not known or is of another kind
 * @throws {ArgsError} naming the options and fields, when a required field is missing, a date is impossible, a text is too long, or there is nothing to do
 * @throws {XmlCharacterError} when a text has a character that XML 1.0 cannot carry
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { buildXmlInput } from '@service-link/xml-input'
 *
 * await writeFile('input.xml', buildXmlInput({
 *   person: { customId: '4711', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' },
 *   queryExercises: 'knee',
 * }))
 * ```
 */
export function buildXmlInput(options: BuildXmlOptions): string {
  assertParameter('options', options, 'closed', members, personSynonyms())
  if (options.brand !== undefined) assertBrand('options.brand', options.brand)
  const { person, brand = defaultBrand, deleteAfterRead = true } = options
  const queries: readonly Query[] = [
    ['exercisequery', trimText(options.queryExercises ?? ''), 'queryExercises'],
    ['workoutquery', trimText(options.queryWorkouts ?? ''), 'queryWorkouts'],
  ]
  const written = person && writePersonFields('options.person', person, personElements(brand))
  checkOptions(written?.issues, queries)
  const attributes = queries
    .map(([name, value, option]) => (value ? ` ${name}="${escapeText(option, value)}"` : ''))
    .join('')
  const elements = (written?.values ?? [])
    .map(([name, value, field]) => `  <${name}>${escapeText(field, value)}</${name}>\n`)
    .join('')
  const { xmlRoot } = brand
  return `<?xml version="1.0" encoding="utf-8"?>\n<${xmlRoot} delete="${deleteAfterRead}"${attributes}>\n${elements}</${xmlRoot}>\n`
}

const members = {
  person: 'object?',
  queryExercises: 'text?',
  queryWorkouts: 'text?',
  deleteAfterRead: 'boolean?',
  brand: 'any?',
} as const

/** Attribute, text and option of a query. */
type Query = readonly [attribute: string, text: string | undefined, option: string]

function checkOptions(personIssues: readonly ArgsIssue[] | undefined, queries: readonly Query[]): void {
  const issues: ArgsIssue[] = []
  if (personIssues) issues.push(...personIssues)
  else if (!queries.some(([, value]) => value))
    issues.push({ path: '', problem: 'there is neither a person nor a query in it' })
  for (const [, value, option] of queries) {
    const problem = value && findTextProblem(value)
    if (problem) issues.push({ path: option, problem })
  }
  if (issues.length > 0) throw new ArgsError(issues, subject)
}

function escapeText(property: string, text: string): string {
  if (findForbiddenCharacter(text) !== -1) throw new XmlCharacterError(property)
  return escapeXml(text)
}

const entities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }

/** Escapes the text of an element, or of an attribute in double quotes. Also white space that readers would change, by number. */
export function escapeXml(text: string): string {
  return text.replaceAll(
    /[&<>"\r\n\t]/g,
    character => `&${entities[character] ?? `#${character.codePointAt(0)}`};`,
  )
}
