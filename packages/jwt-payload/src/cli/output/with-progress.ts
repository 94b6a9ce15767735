import type { Terminal } from '../terminal.ts'

/** Nothing is said before, in milliseconds. */
const silentMs = 1000

/**
 * Says that a wait goes on: after a second, and on a terminal with the seconds counted. What it wrote on a terminal is gone
 * when the work is done.
 *
 * @param doing what is being done, without a full stop
 */
export async function withProgress<Result>(
  doing: string,
  { tell, isWatched }: Pick<Terminal, 'tell' | 'isWatched'>,
  work: () => Promise<Result>,
): Promise<Result> {
  let seconds = 0
  const timer = setInterval(() => {
    seconds += 1
    if (isWatched) tell(`\r${doing} … ${seconds} s`)
    else if (seconds === 1) tell(`${doing} …\n`)
  }, silentMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    // Erases the line: what follows may be shorter.
    if (isWatched && seconds > 0) tell('\r\u001b[K')
  }
}
