import { InterruptedError } from './cli-errors.ts'
import { exitCodes } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** Lines for people that do not go to a terminal. */
const plainColumns = 100

/** The terminal of this process. Call it once: it takes Ctrl+C, the first time; a second one ends the process at once. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process
  // A reader that has gone away (`service-payload verify | head -0`) is no failure: the command was carried out.
  for (const stream of [stdout, stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') process.exitCode = exitCodes.usage
    })
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => controller.abort(new InterruptedError()))
  const isWatched = stderr.isTTY === true
  return {
    get stdin() {
      return process.stdin
    },
    get isTypedIn() {
      return process.stdin.isTTY === true
    },
    print: text => {
      stdout.write(text)
    },
    tell: text => {
      stderr.write(text)
    },
    isWatched,
    isDataWatched: stdout.isTTY === true,
    hasColor: isWatched && !env.NO_COLOR && env.TERM !== 'dumb',
    columns: isWatched ? Math.max(40, stderr.columns || plainColumns) : plainColumns,
    signal: controller.signal,
    clock: () => new Date(),
  }
}
