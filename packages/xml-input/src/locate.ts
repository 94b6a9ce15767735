import type { XmlLocation } from './xml-error.ts'

/** First place of a file. */
export const fileStart: XmlLocation = { line: 1, column: 1 }

/** Turns an offset into line and column; only errors need it. */
export function locate(text: string, offset: number): XmlLocation {
  const before = text.slice(0, offset)
  const lastBreak = before.lastIndexOf('\n')
  return { line: before.split('\n').length, column: offset - lastBreak }
}
