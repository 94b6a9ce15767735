import { isXmlText } from './xml-characters.ts'

const builtIn: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
])

/** No further than the longest reference that is known: what has no end must not be looked for again at each `&`. */
const reference = /&[^&;]{0,10};?/g

/**
 * Finds what begins as a reference and is none that XML defines by itself: the five built-in entities and characters by
 * their number. What a document defines is not known.
 *
 * @returns where its `&` stands in the text; nothing when all are known
 */
export function findUnknownReference(text: string): number | undefined {
  for (const { 0: found, index } of text.matchAll(reference))
    if (readReference(found) === undefined) return index
  return undefined
}

/** Puts characters in the place of references; what is none stays as it is. */
export function decodeReferences(text: string): string {
  return text.replaceAll(reference, found => readReference(found) ?? found)
}

function readReference(found: string): string | undefined {
  const [, hexadecimal, decimal] = /^&#(?:x([\da-f]{1,6})|(\d{1,7}));$/i.exec(found) ?? []
  if (hexadecimal === undefined && decimal === undefined) return builtIn.get(found)
  const codePoint = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  if (codePoint > 0x10ffff) return undefined
  const character = String.fromCodePoint(codePoint)
  return isXmlText(character) ? character : undefined
}
