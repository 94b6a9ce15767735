import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { locateXml, XmlDoctypeError, XmlLimitError, XmlSyntaxError } from './xml-error.ts'

/** Largest file that is read, in bytes: 1 MiB. */
export const maxXmlBytes = 1024 * 1024

/** Deepest nesting of elements, the root counted as 1. */
export const maxXmlDepth = 32

/** Most elements of one file. */
export const maxXmlElements = 10_000

/** Limits of {@link readXml}. */
export interface XmlLimits {
  /** Default {@link maxXmlDepth}. */
  readonly maxDepth?: number
  /** Default {@link maxXmlElements}. */
  readonly maxElements?: number
}

/** An element, and where it stands. Indexes are UTF-16 code units of the text that was read. */
export interface XmlElement {
  /** As written, with its prefix: namespaces are not resolved. */
  readonly name: string
  /** Name as written → value, with references resolved and white space as blanks. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** Text and CDATA between the children, references resolved, line breaks as line feeds. */
  readonly text: string
  /** Index of the first character of {@link text} other than white space. */
  readonly textAt: number | undefined
  /** Index of the `<` of its start tag. */
  readonly start: number
  /** Index after its last `>`. */
  readonly end: number
}

/**
 * Reads an XML 1.0 document without a document type declaration, in one pass. Accepts well-formed documents only. Comments
 * and processing instructions are left out.
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
  if (typeof text !== 'string') throw new ParameterError('text', 'text')
  assertParameter('limits', limits, 'closed', { maxDepth: 'anyNumber?', maxElements: 'anyNumber?' })
  const { maxDepth = maxXmlDepth, maxElements = maxXmlElements } = limits
  return new XmlReader(text, maxDepth, maxElements).read()
}

/** Index of the first character that XML 1.0 cannot carry, such as half of a surrogate pair; -1 when there is none. */
export function findForbiddenCharacter(text: string): number {
  return text.search(forbidden)
}

const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** White space of XML. The `\s` of JavaScript has more. */
const space = '[ \\t\\r\\n]'
const notSpace = /[^ \t\r\n]/
const nameStart =
  ':A-Z_a-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f' +
  '\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}'
const name = `[${nameStart}][-.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040${nameStart}]*`

const namePattern = new RegExp(name, 'uy')
const attributePattern = new RegExp(`${space}+(${name})${space}*=${space}*("[^<"]*"|'[^<']*')`, 'uy')
const attributeStart = new RegExp(`(${space}*)(?:${name})?(${space}*=${space}*)?`, 'uy')
const tagEndPattern = new RegExp(`${space}*(/?)>`, 'y')

const quoted = (value: string) => `(?:"(?:${value})"|'(?:${value})')`
const declarationPattern = new RegExp(
  `<\\?xml${space}+version${space}*=${space}*${quoted('1\\.[0-9]*')}` +
    `(?:${space}+encoding${space}*=${space}*${quoted('[A-Za-z][A-Za-z0-9._-]*')})?` +
    `(?:${space}+standalone${space}*=${space}*${quoted('yes|no')})?${space}*\\?>`,
  'y',
)

const replaced = /\r\n?|[\n\t]|&(?:#x([0-9a-fA-F]+);|#([0-9]+);|(lt|gt|amp|quot|apos);)?/g
const replacedInText = /[\r&]/
const replacedInValue = /[\r\n\t&]/
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

type OpenElement = { -readonly [Key in keyof XmlElement]: XmlElement[Key] } & {
  readonly attributes: Map<string, string>
  readonly children: XmlElement[]
}

class XmlReader {
  readonly #text: string
  readonly #maxDepth: number
  readonly #maxElements: number
  readonly #start: number
  readonly #open: OpenElement[] = []
  #root: OpenElement | undefined
  #elements = 0
  #at: number

  constructor(text: string, maxDepth: number, maxElements: number) {
    this.#text = text
    this.#maxDepth = maxDepth
    this.#maxElements = maxElements
    this.#start = text.startsWith('\ufeff') ? 1 : 0
    this.#at = this.#start
  }

  read(): XmlElement {
    const text = this.#text
    const forbiddenAt = findForbiddenCharacter(text)
    if (forbiddenAt !== -1)
      throw this.#syntax('The file has a character that XML does not allow.', forbiddenAt)
    while (this.#at < text.length) {
      if (text[this.#at] === '<') this.#at = this.#readMarkup(this.#at)
      else this.#readText()
    }
    if (this.#open.length > 0) throw this.#cutOff()
    if (!this.#root) throw this.#syntax('The file has no element: it is empty.', this.#start)
    return this.#root
  }

  /** @returns the index after the markup that begins at `start` */
  #readMarkup(start: number): number {
    const text = this.#text
    switch (text[start + 1]) {
      case '/':
        return this.#readEndTag(start)
      case '?':
        return this.#readInstruction(start)
      case '!':
        if (text.startsWith('<!--', start)) return this.#readComment(start)
        if (text.startsWith('<![CDATA[', start)) return this.#readSection(start)
        if (/^doctype/i.test(text.slice(start + 2, start + 9)))
          throw new XmlDoctypeError(locateXml(text, start))
        throw this.#syntax('After <! only a comment or a CDATA section can follow.', start)
      default:
        return this.#readStartTag(start)
    }
  }

  #readStartTag(start: number): number {
    const parent = this.#open.at(-1)
    if (!parent && this.#root) throw this.#syntax('The file has a second root element.', start)
    if (++this.#elements > this.#maxElements)
      throw new XmlLimitError('elements', this.#maxElements, locateXml(this.#text, start))
    if (this.#open.length >= this.#maxDepth)
      throw new XmlLimitError('depth', this.#maxDepth, locateXml(this.#text, start))
    const found = this.#match(namePattern, start + 1)
    if (!found) throw this.#tagFault(start, start + 1)
    const element: OpenElement = {
      name: found[0],
      attributes: new Map(),
      children: [],
      text: '',
      textAt: undefined,
      start,
      end: start,
    }
    const attributesEnd = this.#readAttributes(element, namePattern.lastIndex)
    const tagEnd = this.#match(tagEndPattern, attributesEnd)
    if (!tagEnd) throw this.#tagFault(start, attributesEnd)
    element.end = tagEndPattern.lastIndex
    if (parent) parent.children.push(element)
    else this.#root = element
    if (tagEnd[1] === '') this.#open.push(element)
    return element.end
  }

  /** @returns the index after the last attribute */
  #readAttributes({ attributes }: OpenElement, start: number): number {
    let at = start
    while (this.#text[at] !== '>') {
      const [whole, attribute, value] = this.#match(attributePattern, at) ?? []
      if (whole === undefined || attribute === undefined || value === undefined) break
      const end = at + whole.length
      if (attributes.has(attribute))
        throw this.#syntax('A tag has an attribute twice.', at + whole.search(notSpace))
      attributes.set(attribute, this.#resolve(value.slice(1, -1), end - value.length + 1, replacedInValue))
      at = end
    }
    return at
  }

  #readEndTag(start: number): number {
    const text = this.#text
    const element = this.#open.pop()
    if (!element) throw this.#syntax('A closing tag closes nothing.', start)
    const nameEnd = start + 2 + element.name.length
    const isSameName = text.startsWith(element.name, start + 2)
    const end = isSameName && this.#match(tagEndPattern, nameEnd)
    if (end && end[1] === '') {
      element.end = tagEndPattern.lastIndex
      return element.end
    }
    if (!text.includes('>', start)) throw this.#cutOff()
    throw this.#syntax('A closing tag does not match the tag that it closes.', start)
  }

  #readComment(start: number): number {
    const end = this.#text.indexOf('--', start + 4)
    if (end === -1) throw this.#syntax('A comment is not closed.', start)
    if (this.#text[end + 2] !== '>') throw this.#syntax('A comment must not contain two hyphens.', end)
    return end + 3
  }

  #readSection(start: number): number {
    const contentStart = start + '<![CDATA['.length
    const end = this.#text.indexOf(']]>', contentStart)
    if (end === -1) throw this.#syntax('A CDATA section is not closed.', start)
    const content = this.#text.slice(contentStart, end)
    if (this.#open.length === 0) throw this.#outside(start)
    this.#addText(content.replaceAll(/\r\n?/g, '\n'), content.search(notSpace), contentStart)
    return end + 3
  }

  #readInstruction(start: number): number {
    const text = this.#text
    const target = this.#match(namePattern, start + 2)?.[0]
    const end = text.indexOf('?>', start + 2)
    if (end === -1) throw this.#syntax('A processing instruction is not closed.', start)
    const nameEnd = start + 2 + (target?.length ?? 0)
    if (target === undefined || (nameEnd !== end && text.slice(nameEnd, nameEnd + 1).search(notSpace) !== -1))
      throw this.#syntax('A processing instruction has no name.', start)
    const isDeclared = start === this.#start && this.#match(declarationPattern, start)
    if (target.toLowerCase() === 'xml' && !isDeclared)
      throw this.#syntax(
        'The XML declaration must be the very first thing in the file, such as <?xml version="1.0" encoding="utf-8"?>.',
        start,
      )
    return end + 2
  }

  #readText(): void {
    const start = this.#at
    const next = this.#text.indexOf('<', start)
    this.#at = next === -1 ? this.#text.length : next
    const raw = this.#text.slice(start, this.#at)
    const inkAt = raw.search(notSpace)
    if (this.#open.length === 0) {
      if (inkAt !== -1) throw this.#outside(start + inkAt)
      return
    }
    const sectionEnd = raw.indexOf(']]>')
    const text = this.#resolve(raw, start, replacedInText)
    if (sectionEnd !== -1)
      throw this.#syntax('Text has ]]>, whose last character must be written &gt;.', start + sectionEnd)
    this.#addText(text, inkAt, start)
  }

  #addText(text: string, inkAt: number, start: number): void {
    const element = this.#open.at(-1)
    if (!element) return
    element.text += text
    if (inkAt !== -1) element.textAt ??= start + inkAt
  }

  /** Resolves references and line breaks; in an attribute's value, white space becomes blanks (XML 1.0, 2.11 and 3.3.3). */
  #resolve(raw: string, start: number, needed: RegExp): string {
    if (!needed.test(raw)) return raw
    return raw.replaceAll(replaced, (found, hexadecimal, decimal, entity, offset: number) => {
      if (found[0] !== '&') {
        if (needed === replacedInValue) return ' '
        return found === '\t' ? found : '\n'
      }
      if (entity !== undefined) return entities[entity] ?? ''
      const codePoint = Number(hexadecimal === undefined ? (decimal ?? 0) : `0x${hexadecimal}`)
      const character = codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\0'
      if (findForbiddenCharacter(character) === -1) return character
      throw this.#syntax(
        'An & begins neither &lt; &gt; &amp; &quot; &apos; nor the number of a character. Write &amp; for the character itself.',
        start + offset,
      )
    })
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at
    return pattern.exec(this.#text)
  }

  /** @param at index where neither an attribute nor the end of the tag follows */
  #tagFault(start: number, at: number): XmlSyntaxError {
    const text = this.#text
    const [whole = '', before = '', equals] = this.#match(attributeStart, at) ?? []
    const end = at + whole.length
    const character = text[end]
    if (character === undefined) return this.#cutOff()
    if (character === '<') return this.#syntax('A tag is not closed before the next one begins.', start)
    if (equals === undefined) return this.#syntax('A tag is not well-formed.', at + before.length)
    if (character !== '"' && character !== "'")
      return this.#syntax('An attribute’s value must be in quotes.', end)
    const valueEnd = text.indexOf(character, end + 1)
    if (valueEnd === -1) return this.#syntax('The quotes of an attribute’s value are not closed.', end)
    if (text.slice(end, valueEnd).includes('<'))
      return this.#syntax('An attribute’s value has a <, which must be written &lt;.', end)
    return this.#syntax('A tag is not well-formed.', at)
  }

  #outside(at: number): XmlSyntaxError {
    return this.#syntax('Text stands outside the root element.', at)
  }

  #cutOff(): XmlSyntaxError {
    return this.#syntax('The file ends before its elements are closed: it is cut off.', this.#text.length)
  }

  #syntax(problem: string, at: number): XmlSyntaxError {
    return new XmlSyntaxError(problem, locateXml(this.#text, at))
  }
}
