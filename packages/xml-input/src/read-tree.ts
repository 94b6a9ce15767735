import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { locate } from './locate.ts'
import { decodeReferences } from './references.ts'
import type { Markup } from './scan-markup.ts'
import { XmlSyntaxError } from './xml-error.ts'

/** One element with its content, or one piece of text, as the parser leaves it: a single member besides `:@`. */
interface ParsedNode {
  readonly [name: string]: readonly ParsedNode[] | Readonly<Record<string, string>> | string
}

/** The root's child, under its name without prefix. */
export interface ChildElement {
  readonly name: string
  /** Its text with references and CDATA sections resolved; `undefined` when it has elements within. */
  readonly text: string | undefined
}

/** A file's root with what this format has: attributes, and one level of elements. */
export interface RootElement {
  readonly name: string
  /** Attributes without prefix, references resolved. */
  readonly attributes: readonly (readonly [name: string, value: string])[]
  readonly children: readonly ChildElement[]
}

const attributePrefix = '@_'
const attributesMember = ':@'
const textMember = '#text'
const sectionMember = '#cdata'

/** Texts are taken raw: references are decoded here, in text but not in CDATA sections, and once. */
const keepAsIs = {
  decode: (text: string) => text,
  reset: () => {},
  setXmlVersion: () => {},
  setExternalEntities: () => {},
  addInputEntities: () => {},
}

let parser: XMLParser | undefined

function getParser(): XMLParser {
  parser ??= new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: attributePrefix,
    textNodeName: textMember,
    cdataPropName: sectionMember,
    parseTagValue: false,
    trimValues: false,
    processEntities: false,
    entityDecoder: keepAsIs,
    maxNestedTags: Number.POSITIVE_INFINITY,
    jPath: false,
    onDangerousProperty: name => name,
  })
  return parser
}

/**
 * Validates and parses a file that `scanMarkup` has gone through.
 *
 * @throws {XmlSyntaxError}
 */
export function readTree(text: string, markup: Markup): RootElement {
  const validation = XMLValidator.validate(text)
  if (validation !== true) {
    const { code, line, col } = validation.err
    throw new XmlSyntaxError(describeFinding(code), { line: line || 1, column: col || 1 })
  }
  const root = parseNodes(text, markup).find(node => nameOf(node) !== textMember)
  if (!root) throw new XmlSyntaxError('The file has no element: it is empty.', locate(text, markup.rootAt))
  const name = nameOf(root)
  return {
    name: withoutPrefix(name),
    attributes: readAttributes(root),
    children: childrenOf(root, name)
      .filter(node => !(textMember in node) && !(sectionMember in node))
      .map(readChild),
  }
}

function parseNodes(text: string, { instructions, rootAt }: Markup): readonly ParsedNode[] {
  try {
    return getParser().parse(cutOut(text, instructions))
  } catch {
    throw new XmlSyntaxError(
      'The file has an element that cannot be read, such as one named constructor or prototype.',
      locate(text, rootAt),
    )
  }
}

/** Leaves processing instructions out: the parser looks for quotes in them, which there mean nothing. */
function cutOut(text: string, ranges: Markup['instructions']): string {
  let rest = ''
  let from = 0
  for (const [start, end] of ranges) {
    rest += text.slice(from, start)
    from = end
  }
  return rest + text.slice(from)
}

function readAttributes(node: ParsedNode): [string, string][] {
  const attributes: [string, string][] = []
  for (const [prefixed, raw] of Object.entries(node[attributesMember] ?? {})) {
    const name = prefixed.slice(attributePrefix.length)
    if (typeof raw !== 'string' || name === 'xmlns' || name.includes(':')) continue
    attributes.push([name, decodeReferences(raw.replaceAll(/[\t\n]/g, ' '))])
  }
  return attributes
}

function readChild(node: ParsedNode): ChildElement {
  const rawName = nameOf(node)
  const name = withoutPrefix(rawName)
  let text = ''
  for (const piece of childrenOf(node, rawName)) {
    const raw = piece[textMember]
    if (typeof raw === 'string') text += decodeReferences(raw)
    else if (sectionMember in piece) text += textOfSection(piece)
    else return { name, text: undefined }
  }
  return { name, text }
}

function textOfSection(node: ParsedNode): string {
  return childrenOf(node, sectionMember)
    .map(piece => piece[textMember] ?? '')
    .join('')
}

function childrenOf(node: ParsedNode, name: string): readonly ParsedNode[] {
  const children = node[name]
  return Array.isArray(children) ? children : []
}

function nameOf(node: ParsedNode): string {
  for (const name in node) if (name !== attributesMember) return name
  return textMember
}

/** A namespace does not matter here: `s:firstname` is firstname. */
function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Says in our words what the parser found: its own message quotes the file. */
function describeFinding(code: string): string {
  switch (code) {
    case 'InvalidTag':
      return 'A tag is not well-formed or does not match the one that it closes.'
    case 'InvalidAttr':
      return 'An attribute is not well-formed or is given twice.'
    default:
      return 'The file is not well-formed XML.'
  }
}
