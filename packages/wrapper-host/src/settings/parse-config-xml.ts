import { type XMLMetaData, XMLParser } from 'fast-xml-parser'
import { checkConfigText, faultAt } from './check-config-text.ts'
import { ConfigFileError } from './config-file-error.ts'
import { decodeReferences } from './xml-references.ts'

/** An element of a configuration file, and where it stands there. */
export interface ConfigElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly ConfigElement[]
  /** Its own text and CDATA, with references resolved. */
  readonly text: string
  /** Index of its first character in the file's text. */
  readonly start: number
  /** Index behind its last character. */
  readonly end: number
}

const attributesMember = ':@'
const textMember = '#text'
const sectionMember = '#cdata'

let parser: XMLParser | undefined

function configParser(): XMLParser {
  parser ??= new XMLParser({
    preserveOrder: true,
    captureMetaData: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    cdataPropName: sectionMember,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    // What a document defines is not looked up by anybody; {@link decodeReferences} knows what XML defines.
    processEntities: false,
    // In this form each element is an object with one own member, so no name of an element does harm.
    onDangerousProperty: name => name,
  })
  return parser
}

/**
 * Parses the text of a .NET configuration file.
 *
 * @param text the file's content; a byte order mark is passed over
 * @param file its name, for messages
 * @returns the element `configuration`; its indexes are those of `text`
 * @throws {ConfigFileError} with line and column when it is not well-formed, has a DOCTYPE, or has another root; without
 *   them when it is too large or too deep
 */
export function parseConfigXml(text: string, file: string): ConfigElement {
  const content = text.replace(/^\uFEFF/, '')
  const markLength = text.length - content.length
  checkConfigText(content, file)
  const [root, ...others] = readElements(parse(content, file), markLength)
  if (root?.name !== 'configuration')
    throw faultAt(
      content,
      (root?.start ?? markLength) - markLength,
      file,
      'the root element must be <configuration>',
    )
  if (others[0]) throw faultAt(content, others[0].start - markLength, file, 'there must be one root element')
  return root
}

/** The first child of that name. */
export function childOf(element: ConfigElement | undefined, name: string): ConfigElement | undefined {
  return element?.children.find(child => child.name === name)
}

function parse(content: string, file: string): unknown {
  try {
    return configParser().parse(content)
  } catch {
    // What is well-formed fails for a limit of the parser only, such as how deep elements may lie.
    throw new ConfigFileError(file, 'is nested too deeply')
  }
}

function readElements(nodes: unknown, shift: number): ConfigElement[] {
  if (!Array.isArray(nodes)) return []
  // The type of the function's answer is that of objects of JavaScript's own symbols.
  const position = XMLParser.getMetaDataSymbol() as symbol
  return nodes.flatMap((node: Readonly<Record<string | symbol, unknown>>) => {
    const name = Object.keys(node).find(member => member !== attributesMember)
    const at = node[position] as XMLMetaData | undefined
    if (name === undefined || name.startsWith('?')) return []
    if (at?.startIndex === undefined || at.endIndex === undefined) return []
    const attributes = Object.entries((node[attributesMember] ?? {}) as Readonly<Record<string, string>>)
    return {
      name,
      attributes: new Map(attributes.map(([key, value]) => [key, decodeReferences(value)])),
      children: readElements(node[name], shift),
      text: readText(node[name]),
      start: at.startIndex + shift,
      end: at.endIndex + shift,
    }
  })
}

/** @param decode for what stands outside a CDATA section */
function readText(nodes: unknown, decode = decodeReferences): string {
  if (!Array.isArray(nodes)) return ''
  return nodes
    .map((node: Readonly<Record<string, unknown>>) => {
      const text = node[textMember]
      return typeof text === 'string' ? decode(text) : readText(node[sectionMember], asItIs)
    })
    .join('')
}

function asItIs(text: string): string {
  return text
}
