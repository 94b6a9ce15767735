import { openSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { InterruptedError } from './terminal.ts'

/** The keyboard, whatever standard input is. */
const keyboard = process.platform === 'win32' ? '\\\\.\\CONIN$' : '/dev/tty'

/**
 * Asks the person at the terminal for a line that is not shown. `undefined` where there is no terminal.
 *
 * @throws {InterruptedError} at Ctrl+C
 */
export async function typeSecret(question: string): Promise<string | undefined> {
  let keys: ReadStream
  try {
    keys = new ReadStream(openSync(keyboard, 'r+'))
  } catch {
    return undefined
  }
  keys.setRawMode(true).setEncoding('utf8')
  process.stderr.write(question)
  try {
    let typed: string[] = []
    for await (const part of keys)
      for (const key of String(part)) {
        if (key === '\r' || key === '\n' || key === '\u0004') return typed.join('')
        if (key === '\u0003') throw new InterruptedError()
        typed = key === '\b' || key === '\u007f' ? typed.slice(0, -1) : [...typed, key]
      }
    return typed.join('')
  } finally {
    keys.setRawMode(false).destroy()
    process.stderr.write('\n')
  }
}
