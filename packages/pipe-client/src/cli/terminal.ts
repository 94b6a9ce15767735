import type { Readable } from 'node:stream'

/** Where a command reads and prints: the process, or what a test puts in its place. */
export interface Terminal {
  readonly stdin: Readable
  /** Whether a person would have to type what is read from `stdin`. */
  readonly isTypedIn: boolean
  /** Data, for programs. Resolves when it was taken, or nobody reads any more. */
  readonly print: (text: string) => Promise<void>
  /** Text for people. */
  readonly tell: (text: string) => void
  /** Whether text for people is read on a terminal: progress that replaces itself. */
  readonly isWatched: boolean
  /** Whether data is read on a terminal: indented JSON. */
  readonly isDataWatched: boolean
  readonly hasColor: boolean
  /** Aborts when nobody reads the data any more. */
  readonly unread: AbortSignal
  /** Takes Ctrl+C, and the request of the operating system to end, from now on: aborts then. A second one ends the process. */
  readonly interruption: () => AbortSignal
}
