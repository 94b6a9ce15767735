import {
  ArgsError,
  type ArgsIssue,
  assertParameter,
  findTextProblem,
  type Person,
  writePersonFields,
} from '@service-link/protocol-core'
import { assertBrand, type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { personElements } from './parse-xml-input.ts'
import { findForbiddenCharacter } from './read-xml.ts'
import { XmlCharacterError } from './xml-error.ts'

/** Content of the file: at least a person or a query. */
export interface BuildXmlOptions {
  /**
   * Person to select or create; needs `customId`, `firstname`, `lastname` and `dateOfBirth`. The file has no place for some
   * other fields: they are left out.
   */
  readonly person?: Person
  /** Text of an exercise query. */
  readonly exerciseQuery?: string
  /** Text of a workout query. */
  readonly workoutQuery?: string
  /** Whether the wrapper deletes the file after taking its commands. Default `true`. */
  readonly deleteAfterRead?: boolean
  /** Names the root element. Default: the brand of the specification, `serviceinput`. */
  readonly brand?: Brand
}

const subject = 'Content of the XML file'

/**
 * Writes an XML file for the wrapper ([specification 4.4](https://github.com/service-link/service-link/blob/main/docs/reference/xml-file.md)). Store it as UTF-8, with or without a byte-order mark.
 *
 * @returns the file's text; `parseXmlInput` reads it back
 * @throws {ArgsError} when a required field is missing, a date is impossible, a text is too long, or there is nothing to do
 * @throws {XmlCharacterError} when a text has a character that XML 1.0 cannot carry
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { buildXmlInput } from '@service-link/xml-input'
 *
 * await writeFile('input.xml', buildXmlInput({
 *   person: { customId: '4711', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' },
 *   exerciseQuery: 'knee',
 * }))
 * ```
 */
export function buildXmlInput(options: BuildXmlOptions): string {
  assertParameter('options', options, 'closed', {
    person: 'object?',
    exerciseQuery: 'text?',
    workoutQuery: 'text?',
    deleteAfterRead: 'boolean?',
    brand: 'any?',
  })
  if (options.brand !== undefined) assertBrand('options.brand', options.brand)
  const { person, brand = defaultBrand, deleteAfterRead = true } = options
  const queries: readonly (readonly [string, string | undefined])[] = [
    ['exercisequery', options.exerciseQuery?.trim()],
    ['workoutquery', options.workoutQuery?.trim()],
  ]
  const written = person && writePersonFields(person, personElements)
  checkOptions(written?.issues, queries)
  const attributes = [['delete', String(deleteAfterRead)] as const, ...queries]
    .map(([name, value]) => (value ? ` ${name}="${escapeAttribute(name, value)}"` : ''))
    .join('')
  const elements = (written?.values ?? [])
    .map(([name, value]) => `  <${name}>${escapeText(name, value)}</${name}>\n`)
    .join('')
  const { xmlRoot } = brand
  return `<?xml version="1.0" encoding="utf-8"?>\n<${xmlRoot}${attributes}>\n${elements}</${xmlRoot}>\n`
}

function checkOptions(
  personIssues: readonly ArgsIssue[] | undefined,
  queries: readonly (readonly [string, string | undefined])[],
): void {
  const issues: ArgsIssue[] = []
  if (personIssues) issues.push(...personIssues)
  else if (!queries.some(([, value]) => value))
    issues.push({ path: '', problem: 'there is neither a person nor a query in it' })
  for (const [name, value] of queries) {
    const problem = value && findTextProblem(value)
    if (problem) issues.push({ path: name, problem })
  }
  if (issues.length > 0) throw new ArgsError(issues, subject)
}

function escapeText(name: string, text: string): string {
  if (findForbiddenCharacter(text) !== -1) throw new XmlCharacterError(name)
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
}

/** Readers make blanks of white space in an attribute, unless it is written by number. */
function escapeAttribute(name: string, value: string): string {
  return escapeText(name, value).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
}
