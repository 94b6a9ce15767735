import { exitCodes } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** The terminal of this process. Call it once. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  const unread = new AbortController()
  stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A reader that has gone away (`service-pipe list | head -0`) is no failure: the command was carried out.
    if (code !== 'EPIPE') process.exitCode = exitCodes.refused
    unread.abort()
  })
  stderr.on('error', () => {})
  const isWatched = stderr.isTTY === true
  return {
    stdin,
    get isTypedIn() {
      return stdin.isTTY === true
    },
    print: text => new Promise(resolve => stdout.write(text, () => resolve())),
    tell: text => void stderr.write(text),
    isWatched,
    isDataWatched: stdout.isTTY === true,
    hasColor: isWatched && !env.NO_COLOR && env.TERM !== 'dumb',
    unread: unread.signal,
    interruption() {
      const interrupted = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
      return interrupted.signal
    },
  }
}
