import { isDeepStrictEqual } from 'node:util'
import { within } from '../demo/within.ts'

/** Fails with both values when they differ. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${what} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`)
}

/** Fails with the text when it does not hold what it should. */
export function expectMatch(what: string, actual: string, expected: RegExp): void {
  if (!expected.test(actual)) throw new Error(`${what} is ${JSON.stringify(actual)}, expected ${expected}`)
}

/** Options of {@link eventually}. */
export interface EventuallyOptions {
  /** Longest wait in milliseconds. Default 60,000: a start on a busy machine takes long. */
  readonly timeoutMs?: number
}

/**
 * Asks again and again until the answer is not `undefined`; for what announces itself by no event.
 *
 * @throws {Error} when the time is over, even while an answer is awaited
 */
export async function eventually<Value>(
  what: string,
  ask: () => Promise<Value | undefined> | Value | undefined,
  options: EventuallyOptions = {},
): Promise<Value> {
  const timeoutMs = options.timeoutMs ?? 60_000
  let isOver = false
  const askUntilOver = async (): Promise<Value> => {
    for (;;) {
      const answer = await ask()
      if (answer !== undefined) return answer
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
