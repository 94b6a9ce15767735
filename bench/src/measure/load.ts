type Call = () => Promise<unknown>

/** Result of several callers at work at once. */
export interface Load {
  readonly perSecond: number
}

/** Lets each caller make one call after the other for a while. */
export async function loadOf(callers: readonly Call[], durationMs: number): Promise<Load> {
  let count = 0
  const begun = performance.now()
  const makeCalls = async (call: Call) => {
    for (let at = begun; at < begun + durationMs; ) {
      await call()
      count++
      at = performance.now()
    }
  }
  await Promise.all(callers.map(makeCalls))
  return { perSecond: count / ((performance.now() - begun) / 1000) }
}
