import type { Readable } from 'node:stream'
import { styleText } from 'node:util'
import { defineError } from '@service-link/protocol-core/errors'
import { plainJson, plainLine, plainLines } from './text.ts'

/** Where a program reads and prints: the process, or a test's memory. */
export interface Terminal {
  readonly stdin: Readable
  /** Whether `stdin` is a keyboard. */
  readonly isTypedIn: boolean
  /** Prints data, for programs. Resolves when it is written, or when the reader is gone. */
  readonly print: (text: string) => Promise<void>
  /** Prints text for people. */
  readonly tell: (text: string) => void
  /** Whether text for people goes to a terminal: then progress is shown. */
  readonly isWatched: boolean
  /** Whether data goes to a terminal: then JSON is indented. */
  readonly isDataWatched: boolean
  readonly hasColor: boolean
  /** Width of a line for people, in characters. */
  readonly columns: number
  /** Aborts when the reader of the data is gone. */
  readonly unread: AbortSignal
  /**
   * Catches Ctrl+C and the operating system's request to end from the first call on. The signal aborts with an
   * {@link InterruptedError}. A second Ctrl+C ends the process.
   */
  readonly interruption: () => AbortSignal
  /** Asks the person at the terminal for a line that is not shown. `undefined` where there is no terminal. Default: there is none. */
  readonly askSecret?: (question: string) => Promise<string | undefined>
  readonly clock: () => Date
}

/**
 * The person at the terminal pressed Ctrl+C.
 *
 * @remedy Run the program again.
 * @retry yes
 * @seenBy partner's developer
 */
export class InterruptedError extends defineError('ERR_INTERRUPTED', 'Interrupted.') {}

/** Colors text for people, on a terminal that shows colors. */
export function paint(
  { hasColor }: Pick<Terminal, 'hasColor'>,
  format: Parameters<typeof styleText>[0],
  text: string,
): string {
  return hasColor ? styleText(format, text, { validateStream: false }) : text
}

/**
 * Prints why a program failed, with its code, and on the next lines what to do, and the address of the code's entry in the error
 * index.
 *
 * @param sentence may have several lines; make foreign text one line by `plainLine`
 */
export function tellFailure(
  terminal: Terminal,
  program: string,
  {
    sentence,
    code,
    advice,
    docsUrl,
  }: { sentence: string; code: string; advice: string | undefined; docsUrl: string | undefined },
): void {
  const name = paint(terminal, 'red', `${program}:`)
  const next = advice === undefined ? '' : `→ ${plainLine(advice)}\n`
  const entry = docsUrl === undefined ? '' : `${paint(terminal, 'dim', docsUrl)}\n`
  terminal.tell(`${name} ${plainLines(sentence)} ${paint(terminal, 'dim', `[${code}]`)}\n${next}${entry}`)
}

/** Prints one JSON value as data, indented for a person. Nothing in it drives a terminal. */
export function printJson(value: unknown, { print, isDataWatched }: Terminal): Promise<void> {
  return print(`${plainJson(value, isDataWatched)}\n`)
}
