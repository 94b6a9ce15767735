import type { Terminal } from './terminal.ts'

/** Silence before the first progress, in milliseconds. */
const silentMs = 1000

/**
 * Shows the seconds of a wait on a terminal, and erases the line at the end. Elsewhere it shows nothing: a log needs the outcome
 * only.
 *
 * @param doing the work as a clause without a full stop
 */
export async function withProgress<Result>(
  { tell, isWatched }: Pick<Terminal, 'tell' | 'isWatched'>,
  doing: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isWatched) return work()
  let seconds = 0
  const timer = setInterval(() => {
    seconds += 1
    tell(`\r\u001b[K${doing} … ${seconds} s`)
  }, silentMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    if (seconds > 0) tell('\r\u001b[K')
  }
}
