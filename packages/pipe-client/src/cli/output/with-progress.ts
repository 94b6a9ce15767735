import type { Terminal } from '../terminal.ts'

/** Nothing is said before, in milliseconds. */
const silentMs = 1000

/**
 * Says on a terminal that a wait goes on, and for what, with the seconds counted; what it wrote is gone when the work is
 * done. Elsewhere nothing is said: whoever reads a log wants what came of it.
 *
 * @param describe finds out what is being waited for, as a clause without a full stop; asked once, after a second
 */
export async function withProgress<Result>(
  { tell, isWatched }: Pick<Terminal, 'tell' | 'isWatched'>,
  describe: (signal: AbortSignal) => Promise<string>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isWatched) return work()
  const ended = new AbortController()
  let seconds = 0
  let doing: string | undefined
  const timer = setInterval(() => {
    seconds += 1
    if (seconds === 1)
      void describe(ended.signal).then(text => {
        doing = text
      })
    tell(`\r\u001b[K${doing ?? 'Waiting for the wrapper'} … ${seconds} s`)
  }, silentMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    ended.abort()
    if (seconds > 0) tell('\r\u001b[K')
  }
}
