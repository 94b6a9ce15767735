/**
 * Waits for something, but not for ever.
 *
 * @param what begins the message of the failure
 * @throws {Error} when the time is over
 */
export async function within<Value>(what: string, timeoutMs: number, work: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`${what} did not come about within ${timeoutMs} ms`)),
    timeoutMs,
  )
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
