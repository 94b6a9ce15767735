import type { Command } from '@service-link/protocol-core'
import { assertBrand, type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import {
  ArgsError,
  type ArgsIssue,
  assertParameter,
  findNearName,
  ParameterError,
} from '@service-link/protocol-core/errors'
import {
  assertCulture,
  fieldSynonyms,
  findTextProblem,
  foldNames,
  indexNames,
  isFieldOfOthers,
  type PersonFieldName,
  personFieldNames,
  type ReadFieldsOptions,
  readFlag,
  readPersonFields,
  trimText,
} from '@service-link/protocol-core/person'
import { decodeXml } from './decode-xml.ts'
import { maxXmlBytes, readDocument, type XmlDocument, type XmlElement } from './read-xml.ts'
import { fileStart, locateXml, XmlContentError, XmlLimitError, XmlRootError } from './xml-error.ts'

/** How the XML file spells a person (spec 4.4; design: person, one model). */
export function personElements({ requiredPerson }: Brand = defaultBrand): readonly PersonFieldName[] {
  return personFieldNames('xml', requiredPerson)
}

/** Every element and attribute of the file that is read. */
const elementNames = personElements().map(({ name }) => name)
const attributeNames = ['delete', 'exercisequery', 'workoutquery']
const elements = indexNames(elementNames)
const attributes = indexNames(attributeNames)

/** Other words for them. */
const elementSynonyms = fieldSynonyms('xml')
const attributeSynonyms = { queryexercises: 'exercisequery', queryworkouts: 'workoutquery' }

/** Options of {@link parseXmlInput}. */
export interface ParseXmlOptions {
  /** Names the root element and the required fields of a person. Default: the brand of the specification, `serviceinput`. */
  readonly brand?: Brand | undefined
  /** BCP 47 tag that tells day and month apart where a date does not; `und`: nothing does. Default: the machine's culture. */
  readonly culture?: string | undefined
  /** Gets each optional field of the person that cannot be read, and is left out. Default: nobody. */
  readonly onDropped?: ((issue: ArgsIssue) => void) | undefined
  /**
   * Gets what may be meant in another way: a date whose day and month the culture told apart, where another could have exchanged
   * them; an element or attribute that is not read and is another transport's, or nearly one of the file. Default: nobody.
   */
  readonly onNoted?: ((note: ArgsIssue) => void) | undefined
}

/** The content of a file. */
export interface XmlInput {
  /** Whether to delete the file after its commands were taken. Default true. */
  readonly deleteAfterRead: boolean
  /** At least one, in the order of their run: select the person, query workouts, query exercises. */
  readonly commands: readonly Command[]
  /** Unknown names of elements and attributes, as written. They are ignored. */
  readonly unknown: readonly string[]
}

const subject = 'Content of the XML file'

/**
 * Reads the XML file that a launch names (spec 4.4). Names of elements and attributes are matched without regard
 * to case, namespaces do not matter, unknown elements and attributes are ignored.
 *
 * @param file the whole file: its bytes in UTF-8, UTF-16 or a declared single-byte code page, or its text, whose declared encoding does not matter
 * @throws {XmlLimitError} when it is larger than 1 MiB, nested deeper than 32 or has more than 10,000 elements
 * @throws {XmlEncodingError} when its encoding is not read, or its bytes are not text in it
 * @throws {XmlDoctypeError} when it has a document type declaration
 * @throws {XmlSyntaxError} when it is not well-formed
 * @throws {XmlRootError} when its root element has another name
 * @throws {XmlContentError} when text stands beside the elements, or elements stand in a text
 * @throws {ArgsError} when some but not all required elements are filled, a name is given twice with different values, a
 *   required date cannot be read, a text is longer than 4,096 characters, `delete` is not true or false, or there is nothing to do
 * @throws {ParameterError} when an option is of another kind, or the culture is not known
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { parseXmlInput } from '@service-link/xml-input'
 *
 * const { commands, deleteAfterRead } = parseXmlInput(await readFile('input.xml'), { culture: 'nb-NO' })
 * ```
 */
export function parseXmlInput(file: Uint8Array | string, options: ParseXmlOptions = {}): XmlInput {
  assertParameter('file', file, 'file')
  if (typeof file === 'string' && /^[^<]*\.xml\s*$/i.test(file))
    throw new ParameterError('file', 'the content of the file', 'is a path: give the content of the file.')
  assertParameter('options', options, 'closed', {
    culture: 'text?',
    onDropped: 'function?',
    onNoted: 'function?',
    brand: 'any?',
  })
  if (options.brand !== undefined) assertBrand('options.brand', options.brand)
  assertCulture('options.culture', options.culture)
  if (file.length > maxXmlBytes) throw new XmlLimitError('bytes', maxXmlBytes, fileStart)
  const text = typeof file === 'string' ? file : decodeXml(file)
  const document = readDocument(text)
  const { brand = defaultBrand } = options
  checkContent(document, brand.xmlRoot, text)
  return readInput(document.root, personElements(brand), options)
}

function checkContent({ root, textAt }: XmlDocument, expected: string, text: string): void {
  if (localName(root.name).toLowerCase() !== expected.toLowerCase())
    throw new XmlRootError(expected, locateXml(text, root.start))
  if (textAt !== undefined)
    throw new XmlContentError('Text stands beside the elements, not in one.', locateXml(text, textAt))
  const nested = root.children.find(
    ({ name, children }) => children.length > 0 && elements.has(localName(name).toLowerCase()),
  )
  if (nested)
    throw new XmlContentError(
      'An element whose content is text has an element in it.',
      locateXml(text, nested.start),
    )
}

/** The name without its prefix: namespaces do not matter, so `s:firstname` is `firstname`. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function readInput(
  root: XmlElement,
  fields: readonly PersonFieldName[],
  options: ReadFieldsOptions,
): XmlInput {
  const queries = foldNames(
    [...root.attributes].filter(([name]) => name !== 'xmlns' && !name.includes(':')),
    attributes,
  )
  const texts = foldNames(
    root.children.map(({ name, text }) => [localName(name), text] as const),
    elements,
  )
  const issues: ArgsIssue[] = [...queries.issues, ...texts.issues]
  const misplaced = findMisplaced(texts.unknown, queries.unknown)
  const commands: Command[] = []
  if (Object.values(texts.known).some(text => trimText(text) !== '')) {
    const read = readPersonFields(texts.known, fields, options)
    issues.push(...read.issues.map(issue => withMisplaced(issue, misplaced)))
    commands.push({ name: 'selectperson', args: read.person })
  }
  for (const [attribute, name] of [
    ['workoutquery', 'queryworkouts'],
    ['exercisequery', 'queryexercises'],
  ] as const) {
    const text = trimText(queries.known[attribute] ?? '')
    if (!text) continue
    const problem = findTextProblem(text)
    if (problem) issues.push({ path: attribute, problem })
    commands.push({ name, args: { text } })
  }
  const deleteAfterRead = readFlag(queries.known.delete, true)
  if (deleteAfterRead === undefined) issues.push({ path: 'delete', problem: 'must be true or false' })
  if (issues.length === 0 && commands.length === 0)
    issues.push({ path: '', problem: 'there is neither a person nor a query in it' }, ...misplaced)
  if (issues.length > 0) throw new ArgsError(issues, subject)
  for (const { path, problem } of misplaced) options.onNoted?.({ path, problem })
  return {
    deleteAfterRead: deleteAfterRead === true,
    commands,
    unknown: [...queries.unknown, ...texts.unknown],
  }
}

/** A name of the file that is not read, and the one that was probably meant, both as the file writes them: `<id>`. */
interface Misplaced extends ArgsIssue {
  /** The name of the element that was meant. */
  readonly element?: string | undefined
}

/** Says which unknown elements and attributes of the root were probably meant for others. Repeats no other name of the file. */
function findMisplaced(elements: readonly string[], attributes: readonly string[]): readonly Misplaced[] {
  return [
    ...[...new Set(elements)].flatMap(name => judge(name, `<${name}>`)),
    ...attributes.flatMap(name => judge(name, `the attribute ${name}`)),
  ]
}

function judge(name: string, path: string): readonly Misplaced[] {
  const attribute = findNearName(name, attributeNames, attributeSynonyms)
  if (attribute !== undefined)
    return [{ path, problem: `is not read; write the attribute ${attribute} of the root element` }]
  const element = findNearName(name, elementNames, elementSynonyms)
  if (element !== undefined) return [{ path, problem: `is not read; write <${element}>`, element }]
  if (/^openworkout$/i.test(name))
    return [{ path, problem: 'is not read: a file opens no workout; launch openworkout=… without a file' }]
  return isFieldOfOthers(name, 'xml') ? [{ path, problem: 'is not read: the file has no such field' }] : []
}

/** Says in the issue of a missing element where it probably is. */
function withMisplaced(issue: ArgsIssue, misplaced: readonly Misplaced[]): ArgsIssue {
  const found = issue.problem === 'is missing' && misplaced.find(({ element }) => element === issue.path)
  return found ? { ...issue, problem: `is missing: write <${issue.path}> instead of ${found.path}` } : issue
}
