import { Readable } from 'node:stream'
import type { Terminal } from '../src/cli/terminal.ts'

/** A terminal in memory, with what was written to it. */
export interface MemoryTerminal extends Terminal {
  readonly printed: () => string
  readonly told: () => string
}

/** Nobody watches, and nothing is typed, unless the test says so. */
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
    unread: new AbortController().signal,
    interruption: () => new AbortController().signal,
    ...options,
    printed: () => printed,
    told: () => told,
  }
}
