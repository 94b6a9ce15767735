/** Options of {@link callsPerSecond}. */
export interface CallRateOptions {
  /** Calls that are under way at any time. */
  readonly inFlight: number
  readonly durationMs: number
}

/** Makes calls for a while, each the next as soon as one of those under way is answered. */
export async function callsPerSecond(
  call: () => Promise<unknown>,
  { inFlight, durationMs }: CallRateOptions,
): Promise<number> {
  const begun = performance.now()
  const deadline = begun + durationMs
  let answered = 0
  const caller = async () => {
    while (performance.now() < deadline) {
      await call()
      answered++
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller))
  return answered / ((performance.now() - begun) / 1000)
}
