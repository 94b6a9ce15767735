import { isDeclaration } from './declaration.ts'
import type { XmlLimits } from './limits.ts'
import { locate } from './locate.ts'
import { isReference } from './references.ts'
import { findForbiddenCharacter } from './xml-characters.ts'
import { XmlDoctypeError, XmlLimitError, XmlSyntaxError } from './xml-error.ts'

/** Where things stand in a file, for errors that are found later. Offsets are of the `<` of a tag. */
export interface Markup {
  readonly rootAt: number
  /** The root's child elements, in order. */
  readonly childrenAt: readonly number[]
  /** First character, other than white space, of text that stands directly in the root. */
  readonly rootTextAt: number | undefined
  /** Processing instructions and the declaration, from `<` to behind `>`. */
  readonly instructions: readonly (readonly [start: number, end: number])[]
}

/**
 * Goes once through a file, before the parser does: refuses a DOCTYPE, counts elements and depth while nothing has been
 * built of them, and finds what the parser would let pass (comments, CDATA sections and tags without an end, entities that
 * are not built in, characters that XML has not, anything behind the root). Names, attributes and matching tags are left to
 * the parser's own validation.
 *
 * @throws {XmlDoctypeError}
 * @throws {XmlLimitError}
 * @throws {XmlSyntaxError}
 */
export function scanMarkup(text: string, limits: Pick<XmlLimits, 'maxDepth' | 'maxElements'>): Markup {
  return new MarkupScan(text, limits).run()
}

const equals = 0x3d
const greaterThan = 0x3e
const lessThan = 0x3c
const doubleQuote = 0x22
const apostrophe = 0x27
const slash = 0x2f

class MarkupScan {
  readonly #text: string
  readonly #limits: Pick<XmlLimits, 'maxDepth' | 'maxElements'>
  readonly #childrenAt: number[] = []
  readonly #instructions: [number, number][] = []
  #depth = 0
  #elements = 0
  #rootAt = -1
  #rootTextAt: number | undefined
  /** Next `&` and `]]>`, wherever they stand; moved along so that each is looked for once. */
  #nextAmpersand: number
  #nextSectionEnd: number

  constructor(text: string, limits: Pick<XmlLimits, 'maxDepth' | 'maxElements'>) {
    this.#text = text
    this.#limits = limits
    this.#nextAmpersand = text.indexOf('&')
    this.#nextSectionEnd = text.indexOf(']]>')
  }

  run(): Markup {
    const text = this.#text
    const forbiddenAt = findForbiddenCharacter(text)
    if (forbiddenAt !== -1)
      throw this.#syntax('The file has a character that XML does not allow.', forbiddenAt)
    let at = 0
    for (let open = text.indexOf('<'); open !== -1; open = text.indexOf('<', at)) {
      this.#readText(at, open)
      at = this.#readMarkup(open)
    }
    this.#readText(at, text.length)
    if (this.#depth > 0) throw this.#cutOff()
    if (this.#rootAt === -1) throw this.#syntax('The file has no element: it is empty.', 0)
    return {
      rootAt: this.#rootAt,
      childrenAt: this.#childrenAt,
      rootTextAt: this.#rootTextAt,
      instructions: this.#instructions,
    }
  }

  /** @returns the offset behind the markup that begins at `open` */
  #readMarkup(open: number): number {
    const text = this.#text
    switch (text[open + 1]) {
      case '/':
        return this.#readEndTag(open)
      case '?':
        return this.#readInstruction(open)
      case '!':
        if (text.startsWith('<!--', open)) return this.#readComment(open)
        if (text.startsWith('<![CDATA[', open)) return this.#readSection(open)
        if (/^doctype/i.test(text.slice(open + 2, open + 9))) throw new XmlDoctypeError(locate(text, open))
        throw this.#syntax('After <! only a comment or a CDATA section can follow.', open)
      default:
        return this.#readStartTag(open)
    }
  }

  #readStartTag(open: number): number {
    if (this.#depth === 0 && this.#rootAt !== -1)
      throw this.#syntax('The file has a second root element.', open)
    const { maxDepth, maxElements } = this.#limits
    if (++this.#elements > maxElements) throw this.#limit('elements', maxElements, open)
    if (this.#depth >= maxDepth) throw this.#limit('depth', maxDepth, open)
    if (this.#depth === 0) this.#rootAt = open
    else if (this.#depth === 1) this.#childrenAt.push(open)
    const close = this.#findTagEnd(open)
    if (this.#text.charCodeAt(close - 1) !== slash) this.#depth++
    return close + 1
  }

  #readEndTag(open: number): number {
    if (this.#depth === 0) throw this.#syntax('A closing tag closes nothing.', open)
    this.#depth--
    return this.#findTagEnd(open) + 1
  }

  #findTagEnd(open: number): number {
    const text = this.#text
    for (let at = open + 1; at < text.length; at++) {
      switch (text.charCodeAt(at)) {
        case greaterThan:
          return at
        case equals:
          at = this.#findValueEnd(at)
          break
        case lessThan:
          throw this.#syntax('A tag is not closed before the next one begins.', open)
        case doubleQuote:
        case apostrophe:
          throw this.#syntax('A tag has a quote that is not the beginning of an attribute’s value.', at)
      }
    }
    throw this.#cutOff()
  }

  #findValueEnd(equalsAt: number): number {
    const text = this.#text
    const quoteAt = this.#skipSpace(equalsAt + 1, text.length)
    if (quoteAt === text.length) throw this.#cutOff()
    const quote = text.charAt(quoteAt)
    if (quote !== '"' && quote !== "'") throw this.#syntax('An attribute’s value must be in quotes.', quoteAt)
    const end = text.indexOf(quote, quoteAt + 1)
    if (end === -1) throw this.#syntax('The quotes of an attribute’s value are not closed.', quoteAt)
    if (text.slice(quoteAt, end).includes('<'))
      throw this.#syntax('An attribute’s value has a <, which must be written &lt;.', quoteAt)
    this.#checkReferences(quoteAt, end)
    return end
  }

  #readComment(open: number): number {
    const end = this.#text.indexOf('--', open + 4)
    if (end === -1) throw this.#syntax('A comment is not closed.', open)
    if (this.#text.charCodeAt(end + 2) !== greaterThan)
      throw this.#syntax('A comment must not contain two hyphens.', end)
    return end + 3
  }

  #readSection(open: number): number {
    const end = this.#text.indexOf(']]>', open)
    if (end === -1) throw this.#syntax('A CDATA section is not closed.', open)
    if (this.#depth === 0) throw this.#syntax('Text stands outside the root element.', open)
    if (this.#depth === 1) this.#noteRootText(open + '<![CDATA['.length, end)
    return end + 3
  }

  #readInstruction(open: number): number {
    const text = this.#text
    const end = text.indexOf('?>', open + 2)
    if (end === -1) throw this.#syntax('A processing instruction is not closed.', open)
    const target = text.slice(open + 2, end).split(/\s/, 1)[0] ?? ''
    if (!/^[\p{L}_:][\p{L}\p{N}\p{M}_:.-]*$/u.test(target))
      throw this.#syntax('A processing instruction has no name.', open)
    if (target.toLowerCase() === 'xml' && (open > 0 || !isDeclaration(text.slice(0, end + 2))))
      throw this.#syntax(
        'The XML declaration must be the very first thing in the file, such as <?xml version="1.0" encoding="utf-8"?>.',
        open,
      )
    this.#instructions.push([open, end + 2])
    return end + 2
  }

  #readText(start: number, end: number): void {
    if (start === end) return
    if (this.#depth === 0) {
      const at = this.#skipSpace(start, end)
      if (at < end) throw this.#syntax('Text stands outside the root element.', at)
      return
    }
    if (this.#depth === 1) this.#noteRootText(start, end)
    this.#checkReferences(start, end)
    if (this.#nextSectionEnd !== -1 && this.#nextSectionEnd < start)
      this.#nextSectionEnd = this.#text.indexOf(']]>', start)
    if (this.#nextSectionEnd !== -1 && this.#nextSectionEnd < end)
      throw this.#syntax('Text has ]]>, whose last character must be written &gt;.', this.#nextSectionEnd)
  }

  #noteRootText(start: number, end: number): void {
    if (this.#rootTextAt !== undefined) return
    const at = this.#skipSpace(start, end)
    if (at < end) this.#rootTextAt = at
  }

  #checkReferences(start: number, end: number): void {
    if (this.#nextAmpersand !== -1 && this.#nextAmpersand < start)
      this.#nextAmpersand = this.#text.indexOf('&', start)
    while (this.#nextAmpersand !== -1 && this.#nextAmpersand < end) {
      if (!isReference(this.#text, this.#nextAmpersand, end))
        throw this.#syntax(
          'An & begins neither &lt; &gt; &amp; &quot; &apos; nor the number of a character. Write &amp; for the character itself.',
          this.#nextAmpersand,
        )
      this.#nextAmpersand = this.#text.indexOf('&', this.#nextAmpersand + 1)
    }
  }

  #skipSpace(start: number, end: number): number {
    let at = start
    while (at < end && isSpace(this.#text.charCodeAt(at))) at++
    return at
  }

  #limit(limit: 'depth' | 'elements', max: number, at: number): XmlLimitError {
    return new XmlLimitError(limit, max, locate(this.#text, at))
  }

  #cutOff(): XmlSyntaxError {
    return this.#syntax('The file ends before its elements are closed: it is cut off.', this.#text.length)
  }

  #syntax(problem: string, at: number): XmlSyntaxError {
    return new XmlSyntaxError(problem, locate(this.#text, at))
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d
}
