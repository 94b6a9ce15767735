import { InterruptedError, type Terminal } from './terminal.ts'

/** Line width where text for people does not go to a terminal, in characters. */
const plainColumns = 100

/**
 * The terminal of this process. Call it once.
 *
 * @param unwrittenExitCode exit code of the process when data cannot be written, such as on a full disk
 */
export function processTerminal(unwrittenExitCode: number): Terminal {
  const { stdout, stderr, env } = process
  const unread = new AbortController()
  stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A reader that has gone away, as in `service-pipe list | head -0`, is no failure.
    if (code !== 'EPIPE') process.exitCode = unwrittenExitCode
    unread.abort()
  })
  stderr.on('error', () => {})
  const isWatched = stderr.isTTY === true
  let interrupted: AbortController | undefined
  return {
    // Read late: opening standard input keeps a process alive on some systems.
    get stdin() {
      return process.stdin
    },
    get isTypedIn() {
      return process.stdin.isTTY === true
    },
    print: text => new Promise(resolve => stdout.write(text, () => resolve())),
    tell: text => void stderr.write(text),
    isWatched,
    isDataWatched: stdout.isTTY === true,
    hasColor: isWatched && !env.NO_COLOR && env.TERM !== 'dumb',
    columns: isWatched ? Math.max(40, stderr.columns || plainColumns) : plainColumns,
    unread: unread.signal,
    interruption() {
      if (!interrupted) {
        const controller = new AbortController()
        interrupted = controller
        for (const signal of ['SIGINT', 'SIGTERM'] as const)
          process.once(signal, () => controller.abort(new InterruptedError()))
      }
      return interrupted.signal
    },
    clock: () => new Date(),
  }
}
