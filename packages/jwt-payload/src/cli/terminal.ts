import type { Readable } from 'node:stream'

/** Where a command reads and prints: the process, or what a test puts in its place. */
export interface Terminal {
  readonly stdin: Readable
  /** Whether a person would have to type what is read from `stdin`. */
  readonly isTypedIn: boolean
  /** Data, for programs. */
  readonly print: (text: string) => void
  /** Text for people. */
  readonly tell: (text: string) => void
  /** Whether text for people is read on a terminal: colour and progress that replaces itself. */
  readonly isWatched: boolean
  /** Whether data is read on a terminal: indented JSON. */
  readonly isDataWatched: boolean
  readonly hasColor: boolean
  /** Width of a line for people, in characters. */
  readonly columns: number
  /** Aborts on Ctrl+C, with an `InterruptedError`. */
  readonly signal: AbortSignal
  readonly clock: () => Date
}
