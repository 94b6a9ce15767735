import { assertParameter, type Measure } from '@service-link/protocol-core/errors'
import { type XMLMetaData, XMLParser } from 'fast-xml-parser'
import { checkXml, resolveReferences } from './check-xml.ts'

/** Largest file that is read, in bytes: 1 MiB. */
export const maxXmlBytes = 1024 * 1024

/** Deepest nesting of elements, the root counted as 1. */
export const maxXmlDepth = 32

/** Most elements of one file. */
export const maxXmlElements = 10_000

/** Limits of {@link readXml}. */
export interface XmlLimits {
  /** Default {@link maxXmlDepth}. */
  readonly maxDepth?: number | undefined
  /** Default {@link maxXmlElements}. */
  readonly maxElements?: number | undefined
}

const levels: Measure = { what: 'a whole number of levels', isWhole: true }
const elements: Measure = { what: 'a whole number of elements', isWhole: true }

/** An element, and where it stands. Indexes are UTF-16 code units of the text that was read. */
export interface XmlElement {
  /** As written, with its prefix: namespaces are not resolved. */
  readonly name: string
  /** Name as written → value, with references resolved and white space as blanks. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** Text and CDATA between the children, references resolved, line breaks as line feeds. */
  readonly text: string
  /** Index of the `<` of its start tag. */
  readonly start: number
  /** Index after its last `>`. */
  readonly end: number
}

/** A document, and where its root element has text of its own. */
export interface XmlDocument {
  readonly root: XmlElement
  /** Index of the first character of the root’s text other than white space. */
  readonly textAt: number | undefined
}

/**
 * Reads an XML 1.0 document without a document type declaration. Accepts well-formed documents only. Comments and processing
 * instructions are left out.
 *
 * @param text the document; a leading byte-order mark is skipped
 * @returns the root element
 * @throws {XmlSyntaxError} when the text is not well-formed
 * @throws {XmlDoctypeError} when it has a document type declaration
 * @throws {XmlLimitError} when elements are nested too deeply, or are too many
 * @example
 * ```ts
 * import { readXml } from '@service-link/xml-input'
 *
 * const root = readXml('<note to="Ola">Hi</note>')
 * console.log(root.attributes.get('to'), root.text)
 * ```
 */
export function readXml(text: string, limits: XmlLimits = {}): XmlElement {
  assertParameter('text', text, 'text')
  assertParameter('limits', limits, 'closed', { maxDepth: levels, maxElements: elements })
  return readDocument(text, limits).root
}

/** {@link readXml}, also for the place of the root’s own text. */
export function readDocument(
  text: string,
  { maxDepth = maxXmlDepth, maxElements = maxXmlElements }: XmlLimits = {},
): XmlDocument {
  const textAt = checkXml(text, maxDepth, maxElements)
  const nodes: readonly ParsedNode[] = parser.parse(disguise(text))
  const root = nodes.find(node => keyOf(node) !== undefined)
  return { root: toElement(root ?? {}), textAt }
}

/** Names begin with it in the library’s tree, which refuses or changes names such as `constructor`. */
const mark = '<'

const parser = new XMLParser({
  preserveOrder: true,
  captureMetaData: true,
  ignoreAttributes: false,
  ignorePiTags: true,
  trimValues: false,
  parseTagValue: false,
  cdataPropName: '#cdata',
  attributeNamePrefix: mark,
  transformTagName: name => (name.startsWith(mark) ? name : mark + name),
  // References are resolved here: the library leaves long numbers, and white space of an attribute is replaced before.
  processEntities: false,
  maxNestedTags: Number.POSITIVE_INFINITY,
  jPath: false,
})

const place = XMLParser.getMetaDataSymbol().valueOf()

/** A node of the library’s tree: text, a CDATA section, or an element with its content under its name. */
interface ParsedNode {
  readonly '#text'?: string
  readonly '#cdata'?: readonly [{ readonly '#text': string }]
  readonly ':@'?: Readonly<Record<string, string>>
  readonly [name: `${typeof mark}${string}`]: readonly ParsedNode[]
  readonly [place: symbol]: XMLMetaData
}

function keyOf(node: ParsedNode) {
  return Object.keys(node).find((key): key is `${typeof mark}${string}` => key.startsWith(mark))
}

function toElement(node: ParsedNode): XmlElement {
  const name = keyOf(node) ?? mark
  const children: XmlElement[] = []
  let text = ''
  for (const child of node[name] ?? []) {
    if (child['#text'] !== undefined) text += resolveReferences(undisguise(child['#text']))
    else if (child['#cdata']) text += child['#cdata'][0]['#text']
    else children.push(toElement(child))
  }
  const attributes = Object.entries(node[':@'] ?? {}).map(
    ([key, value]) => [nameOf(key), resolveReferences(undisguise(value).replaceAll(/[\n\t]/g, ' '))] as const,
  )
  const { startIndex: start = 0, endIndex: end = 0 } = node[place] ?? {}
  return { name: nameOf(name), attributes: new Map(attributes), children, text, start, end }
}

function nameOf(key: string): string {
  return undisguise(key.slice(mark.length))
}

/** Hides from the library what it misreads in well-formed XML: quotes in instructions, and two characters of names that it takes for white space. */
function disguise(text: string): string {
  return text.replaceAll(/<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|\ufeff|\u1680/gs, found => {
    if (found === '\ufeff') return '\x01'
    return found === '\u1680' ? '\x02' : found.startsWith('<?') ? found.replaceAll(/["']/g, ' ') : found
  })
}

function undisguise(text: string): string {
  return text.replaceAll('\x01', '\ufeff').replaceAll('\x02', '\u1680')
}
