import type { Terminal } from './terminal.ts'

/** Silence before the first progress, in milliseconds. */
const silentMs = 1000

/**
 * Shows the seconds of a wait on a terminal, and erases the line at the end. Elsewhere it shows nothing: a log needs the outcome
 * only.
 *
 * @param doing the work as a clause without a full stop, or a function that finds the clause, called after a second
 */
export async function withProgress<Result>(
  { tell, isWatched }: Pick<Terminal, 'tell' | 'isWatched'>,
  doing: string | ((signal: AbortSignal) => Promise<string>),
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isWatched) return work()
  const ended = new AbortController()
  let seconds = 0
  let clause = typeof doing === 'string' ? doing : 'Waiting'
  const timer = setInterval(() => {
    seconds += 1
    if (seconds === 1 && typeof doing === 'function')
      void doing(ended.signal).then(found => {
        clause = found
      })
    tell(`\r\u001b[K${clause} … ${seconds} s`)
  }, silentMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    ended.abort()
    if (seconds > 0) tell('\r\u001b[K')
  }
}
