import { Readable } from 'node:stream'
import type { Terminal } from './terminal.ts'

/** A terminal in memory, with what was written to it. */
export interface MemoryTerminal extends Terminal {
  /** Data so far. */
  readonly printed: () => string
  /** Text for people so far. */
  readonly told: () => string
}

/** Makes a terminal in memory. By default nobody watches it and nothing is typed. */
export function memoryTerminal(options: Partial<Terminal> = {}): MemoryTerminal {
  let printed = ''
  let told = ''
  return {
    stdin: Readable.from([]),
    isTypedIn: false,
    async print(text) {
      printed += text
    },
    tell(text) {
      told += text
    },
    isWatched: false,
    isDataWatched: false,
    hasColor: false,
    columns: 100,
    unread: new AbortController().signal,
    interruption: () => new AbortController().signal,
    clock: () => new Date(),
    ...options,
    printed: () => printed,
    told: () => told,
  }
}
