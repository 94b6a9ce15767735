import type { Terminal } from '../terminal.ts'
import { plainJson } from './plain-text.ts'

/**
 * Prints one JSON value as data, indented for a person who reads it. Nothing in it drives a terminal, which may be behind
 * another program, too: such characters are written as escapes.
 */
export function printJson(value: unknown, { print, isDataWatched }: Terminal): void {
  print(`${plainJson(JSON.stringify(value, null, isDataWatched ? 2 : 0))}\n`)
}
