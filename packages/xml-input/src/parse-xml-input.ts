import {
  ArgsError,
  type ArgsIssue,
  assertParameter,
  type Command,
  type FoldedNames,
  findTextProblem,
  foldNames,
  machineCulture,
  ParameterError,
  readFlag,
  readPersonFields,
} from '@service-link/protocol-core'
import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { decodeXml } from './decode-xml.ts'
import { maxXmlBytes, maxXmlDepth, maxXmlElements, type XmlLimits } from './limits.ts'
import { fileStart, locate } from './locate.ts'
import { personElements } from './person-elements.ts'
import { type RootElement, readTree } from './read-tree.ts'
import { type Markup, scanMarkup } from './scan-markup.ts'
import { XmlContentError, XmlLimitError, XmlRootError } from './xml-error.ts'

/** Options of {@link parseXmlInput}. */
export interface ParseXmlOptions extends Partial<XmlLimits> {
  /** Names the root element. Default: the brand of the specification, `serviceinput`. */
  readonly brand?: Brand
  /** BCP 47 tag whose order of year, month and day is tried after ISO 8601. Default: the machine's culture. */
  readonly culture?: string
}

/** What a file asks for. */
export interface XmlInput {
  /** Whether the file is to be deleted once its commands were taken. Default true. */
  readonly deleteAfterRead: boolean
  /** In the order in which they run: select the person, query workouts, query exercises. At least one. */
  readonly commands: readonly Command[]
  /** Names of elements and attributes, as they are written, that mean nothing here and were ignored. */
  readonly unknown: readonly string[]
}

const subject = 'Content of the XML file'

/**
 * Reads the XML file that a launch names (specification 4.4). Names of elements and attributes are matched without regard
 * to case, namespaces do not matter, unknown elements and attributes are ignored.
 *
 * @param bytes the whole file, in UTF-8, UTF-16 or Windows-1252
 * @throws {XmlLimitError} when it is larger than `maxBytes` (default 1 MiB), nested deeper than `maxDepth` (default 32) or
 *   has more than `maxElements` elements (default 10,000)
 * @throws {XmlEncodingError} when its encoding is not read, or its bytes are not text in it
 * @throws {XmlDoctypeError} when it has a document type declaration
 * @throws {XmlSyntaxError} when it is not well-formed
 * @throws {XmlRootError} when its root element has another name
 * @throws {XmlContentError} when text stands beside the elements, or elements stand in a text
 * @throws {ArgsError} when some but not all required elements are filled, a name is given twice with different values, a
 *   date does not exist, a text is longer than 4,096 characters, `delete` is not true or false, or there is nothing to do
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { parseXmlInput } from '@service-link/xml-input'
 *
 * const { commands, deleteAfterRead } = parseXmlInput(await readFile('input.xml'), { culture: 'nb-NO' })
 * ```
 */
export function parseXmlInput(bytes: Uint8Array, options: ParseXmlOptions = {}): XmlInput {
  if (!ArrayBuffer.isView(bytes)) throw new ParameterError('bytes', 'a Uint8Array')
  assertParameter('options', options, 'object', {
    culture: 'text?',
    maxBytes: 'number?',
    maxDepth: 'number?',
    maxElements: 'number?',
  })
  assertParameter('options.brand', options.brand, 'object?', { xmlRoot: 'text' })
  const { maxBytes = maxXmlBytes, maxDepth = maxXmlDepth, maxElements = maxXmlElements } = options
  if (bytes.length > maxBytes) throw new XmlLimitError('bytes', maxBytes, fileStart)
  const text = decodeXml(bytes)
  const markup = scanMarkup(text, { maxDepth, maxElements })
  const root = readTree(text, markup)
  checkRoot(root, (options.brand ?? defaultBrand).xmlRoot, text, markup)
  return readInput(root, foldElements(root, text, markup), options.culture ?? machineCulture())
}

function checkRoot(root: RootElement, expected: string, text: string, markup: Markup): void {
  if (root.name.toLowerCase() !== expected.toLowerCase())
    throw new XmlRootError(expected, locate(text, markup.rootAt))
  if (markup.rootTextAt !== undefined)
    throw new XmlContentError('Text stands beside the elements, not in one.', locate(text, markup.rootTextAt))
}

/** Names of the file's elements with their text. Elements within a known one are refused, within others ignored. */
function foldElements({ children }: RootElement, text: string, { childrenAt }: Markup): FoldedNames<string> {
  const names: readonly string[] = personElements.map(({ name }) => name)
  const nested = children.findIndex(
    child => child.text === undefined && names.includes(child.name.toLowerCase()),
  )
  if (nested !== -1)
    throw new XmlContentError(
      'An element whose content is text has an element in it.',
      locate(text, childrenAt[nested] ?? 0),
    )
  return foldNames(
    children.map(child => [child.name, child.text ?? ''] as const),
    names,
  )
}

function readInput(root: RootElement, elements: FoldedNames<string>, culture: string): XmlInput {
  const attributes = foldNames(root.attributes, ['delete', 'exercisequery', 'workoutquery'])
  const issues: ArgsIssue[] = [...attributes.issues, ...elements.issues]
  const commands: Command[] = []
  if (Object.values(elements.known).some(text => text.trim() !== '')) {
    const read = readPersonFields(elements.known, personElements, { culture })
    issues.push(...read.issues)
    commands.push({ name: 'selectperson', args: read.person })
  }
  for (const [attribute, name] of [
    ['workoutquery', 'queryworkouts'],
    ['exercisequery', 'queryexercises'],
  ] as const) {
    const text = attributes.known[attribute]?.trim()
    if (!text) continue
    const problem = findTextProblem(text)
    if (problem) issues.push({ path: attribute, problem })
    commands.push({ name, args: { text } })
  }
  const deleteAfterRead = readFlag(attributes.known.delete, true)
  if (deleteAfterRead === undefined) issues.push({ path: 'delete', problem: 'must be true or false' })
  if (issues.length === 0 && commands.length === 0)
    issues.push({ path: '', problem: 'there is neither a person nor a query in it' })
  if (issues.length > 0) throw new ArgsError(issues, subject)
  return {
    deleteAfterRead: deleteAfterRead === true,
    commands,
    unknown: [...attributes.unknown, ...elements.unknown],
  }
}
