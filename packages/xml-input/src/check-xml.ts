import { locateXml, XmlDoctypeError, XmlLimitError, XmlSyntaxError } from './xml-error.ts'

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
const equals = `${space}*=${space}*`
const value = `${equals}(?:"[^<"]*"|'[^<']*')`
const attribute = `${space}+${name}${value}`
const attributeName = new RegExp(`${space}+(${name})${value}`, 'gu')

/** Text; a start tag: its name, attributes, and the slash of an empty one; the name of an end tag; a comment; a CDATA section; the name of an instruction. */
const piece = new RegExp(
  `([^<]+)|<(${name})((?:${attribute})*)${space}*(/?)>|</(${name})${space}*>` +
    `|<!--.*?--(>?)|<!\\[CDATA\\[(.*?)\\]\\]>|<\\?(${name})(?:${space}.*?)?\\?>`,
  'suy',
)

const quoted = (value: string) => `(?:"(?:${value})"|'(?:${value})')`
const declaration = new RegExp(
  `<\\?xml${space}+version${equals}${quoted('1\\.[0-9]*')}` +
    `(?:${space}+encoding${equals}${quoted('[A-Za-z][A-Za-z0-9._-]*')})?` +
    `(?:${space}+standalone${equals}${quoted('yes|no')})?${space}*\\?>`,
  'y',
)

const cutOff = 'The file ends before its elements are closed: it is cut off.'
const mismatch = 'A closing tag does not match the tag that it closes.'
const misplaced =
  'The XML declaration must be the very first thing in the file, such as <?xml version="1.0" encoding="utf-8"?>.'

/** As much of a tag as is well-formed, and an attribute without its value. Each space has one place, so that a search is linear. */
const tag = `<(?:${name}(?:${attribute})*(?!${attribute}))?`
const begun = `${space}*(?:${name}${space}*)?(?:=${space}*)?`

/** How a fault begins, up to its place, and what to say. */
const faults = (
  [
    ['<!--.*?(?=--)', 'A comment must not contain two hyphens.'],
    ['(?=<!--)', 'A comment is not closed.'],
    ['(?=<!\\[CDATA\\[)', 'A CDATA section is not closed.'],
    ['(?=<!)', 'After <! only a comment or a CDATA section can follow.'],
    ['(?=<\\?.*?\\?>)', 'A processing instruction has no name.'],
    ['(?=<\\?)', 'A processing instruction is not closed.'],
    ['</[^>]*$', cutOff],
    ['(?=</)', mismatch],
    [`${tag}${begun}/?$`, cutOff],
    [`(?=${tag}${begun}<)`, 'A tag is not closed before the next one begins.'],
    [
      `${tag}${space}+(?:${name}${space}*)?=${space}*`,
      'A value must be in quotes that are closed, with &lt; for a <.',
    ],
    [`${tag}${space}*`, 'A tag is not well-formed.'],
  ] as const
).map(([pattern, problem]) => [new RegExp(pattern, 'suy'), problem] as const)

const reference = /&(?:#x([0-9a-fA-F]+);|#([0-9]+);|(lt|gt|amp|quot|apos);)?/g
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Replaces references by their characters. A faulty one becomes a forbidden character. */
export function resolveReferences(text: string): string {
  return text.replaceAll(reference, (_found, hexadecimal, decimal, entity) => {
    if (entity !== undefined) return entities[entity] ?? ''
    const codePoint = Number(hexadecimal === undefined ? (decimal ?? 0) : `0x${hexadecimal}`)
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\0'
  })
}

/**
 * Refuses what is not well-formed XML 1.0 but read by fast-xml-parser, and document type declarations. One pass.
 *
 * @returns the index of the first text directly in the root element, other than white space
 */
export function checkXml(text: string, maxDepth: number, maxElements: number): number | undefined {
  const forbiddenAt = findForbiddenCharacter(text)
  if (forbiddenAt !== -1) throw fault('The file has a character that XML does not allow.', text, forbiddenAt)
  const begin = text.startsWith('\ufeff') ? 1 : 0
  const open: string[] = []
  let elements = 0
  let rootTextAt: number | undefined
  for (let at = begin; at < text.length; at = piece.lastIndex) {
    piece.lastIndex = at
    const found = piece.exec(text)
    if (!found || found[6] === '') throw findFault(text, at)
    const [, characters = '', start, attributes = '', empty, end, , section, target] = found
    if (start !== undefined) {
      if (open.length === 0 && elements > 0) throw fault('The file has a second root element.', text, at)
      if (++elements > maxElements) throw new XmlLimitError('elements', maxElements, locateXml(text, at))
      if (open.length >= maxDepth) throw new XmlLimitError('depth', maxDepth, locateXml(text, at))
      checkAttributes(attributes, text, at + 1 + start.length)
      if (empty === '') open.push(start)
    } else if (end !== undefined) {
      if (open.length === 0) throw fault('A closing tag closes nothing.', text, at)
      if (open.pop() !== end) throw fault(mismatch, text, at)
    } else if (target?.toLowerCase() === 'xml') {
      declaration.lastIndex = at
      if (at !== begin || !declaration.test(text)) throw fault(misplaced, text, at)
    } else {
      const inkAt = (section ?? characters).search(notSpace)
      if (open.length === 0 && (section !== undefined || inkAt !== -1))
        throw fault('Text stands outside the root element.', text, section === undefined ? at + inkAt : at)
      if (open.length === 1 && inkAt !== -1) rootTextAt ??= at + inkAt + (section === undefined ? 0 : 9)
      checkReferences(characters, text, at)
      const sectionEnd = characters.indexOf(']]>')
      if (sectionEnd !== -1)
        throw fault('Text has ]]>, whose last character must be written &gt;.', text, at + sectionEnd)
    }
  }
  if (open.length > 0) throw fault(cutOff, text, text.length)
  if (elements === 0) throw fault('The file has no element: it is empty.', text, begin)
  return rootTextAt
}

function checkAttributes(attributes: string, text: string, start: number): void {
  if (attributes === '') return
  const names = new Set<string>()
  for (const { 0: whole, 1: name = '', index } of attributes.matchAll(attributeName)) {
    if (names.has(name))
      throw fault('A tag has an attribute twice.', text, start + index + whole.search(notSpace))
    names.add(name)
  }
  checkReferences(attributes, text, start)
}

function checkReferences(part: string, text: string, start: number): void {
  for (const { 0: found, index } of part.includes('&') ? part.matchAll(reference) : [])
    if (findForbiddenCharacter(resolveReferences(found)) !== -1)
      throw fault(
        'An & begins neither &lt; &gt; &amp; &quot; &apos; nor the number of a character. Write &amp; for the character itself.',
        text,
        start + index,
      )
}

function findFault(text: string, at: number): XmlDoctypeError | XmlSyntaxError {
  if (/^<!doctype/i.test(text.slice(at, at + 9))) return new XmlDoctypeError(locateXml(text, at))
  const found = faults.find(([pattern]) => {
    pattern.lastIndex = at
    return pattern.test(text)
  })
  return fault(found?.[1] ?? '', text, found?.[0].lastIndex ?? at)
}

function fault(problem: string, text: string, at: number): XmlSyntaxError {
  return new XmlSyntaxError(problem, locateXml(text, at))
}
