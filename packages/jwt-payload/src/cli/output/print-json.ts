import type { Terminal } from '../terminal.ts'

/** Prints one JSON value as data, indented for a person who reads it. */
export function printJson(value: unknown, { print, isDataWatched }: Terminal): void {
  print(`${JSON.stringify(value, null, isDataWatched ? 2 : 0)}\n`)
}
