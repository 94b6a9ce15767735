import { Deadline } from '@service-link/protocol-core/time'

/** Waits for a promise with a time limit. `what` begins the message of the failure. */
export function within<Value>(what: string, timeoutMs: number, work: Promise<Value>): Promise<Value> {
  return new Deadline(timeoutMs).waitFor(
    work,
    () => new Error(`${what} did not come about within ${timeoutMs} ms`),
  )
}

/** Asks every 25 ms until the answer is neither `undefined` nor false; throws when the time is over, even during a question. */
export async function eventually<Value>(
  what: string,
  ask: () => Promise<Value | undefined | false> | Value | undefined | false,
  timeoutMs = 60_000,
): Promise<Value> {
  let isOver = false
  const askUntilOver = async (): Promise<Value> => {
    for (;;) {
      const answer = await ask()
      if (answer !== undefined && answer !== false) return answer
      if (isOver) throw new Error('Nobody waits any more.')
      await new Promise(resolve => setTimeout(resolve, 25))
    }
  }
  try {
    return await within(what, timeoutMs, askUntilOver())
  } finally {
    isOver = true
  }
}
