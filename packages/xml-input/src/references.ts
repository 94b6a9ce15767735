import { isXmlCodePoint } from './xml-characters.ts'

const builtIn: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Longest reference that is looked for, from `&` to `;`: a number may have leading zeros. */
const maxReferenceLength = 34

/**
 * Reads what stands between `&` and `;`: one of the five built-in entities, or a character by its number.
 *
 * @returns the character, or `undefined` when it is neither, or no character of XML
 */
function readReference(name: string): string | undefined {
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name) ?? []
  if (hexadecimal === undefined && decimal === undefined)
    return Object.hasOwn(builtIn, name) ? builtIn[name] : undefined
  const codePoint = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  return isXmlCodePoint(codePoint) ? String.fromCodePoint(codePoint) : undefined
}

/** Whether the `&` at an offset begins a reference that can be read and that ends before `end`. */
export function isReference(text: string, at: number, end: number): boolean {
  const candidate = text.slice(at + 1, Math.min(end, at + maxReferenceLength))
  const semicolon = candidate.indexOf(';')
  return semicolon !== -1 && readReference(candidate.slice(0, semicolon)) !== undefined
}

/** Puts characters in the place of references; every `&` must begin one, see {@link isReference}. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&([^;]*);/g, (reference, name: string) => readReference(name) ?? reference)
}
