import { isXmlCodePoint } from './xml-characters.ts'

const builtIn: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

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
  // A number may have any number of leading zeros.
  const [reference, name = ''] = /^&(#?\w+);/.exec(text.slice(at, end)) ?? []
  return reference !== undefined && readReference(name) !== undefined
}

/** Puts characters in the place of references; every `&` must begin one, see {@link isReference}. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&([^;]*);/g, (reference, name: string) => readReference(name) ?? reference)
}
