/** Options of {@link measureCallsInTurns}. */
export interface CallTurnOptions {
  /** Calls of each. */
  readonly rounds: number
  /** Calls of each before anything counts. Default 100. */
  readonly warmUp?: number
}

/**
 * Measures calls that leave this process, each once in every round, in an order that changes: what slows the machine for a
 * while slows all of them.
 *
 * @returns time of each call in microseconds
 */
export async function measureCallsInTurns<Name extends string>(
  contenders: Readonly<Record<Name, () => Promise<unknown>>>,
  { rounds, warmUp = 100 }: CallTurnOptions,
): Promise<Record<Name, readonly number[]>> {
  const names = Object.keys(contenders) as Name[]
  const samples = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -warmUp; round < rounds; round++) {
    // Forwards and backwards, so that each follows each of the others: what one leaves to clean up slows the next.
    const order = round % 2 === 0 ? names : names.toReversed()
    for (let turn = 0; turn < order.length; turn++) {
      const name = order[(turn + warmUp + round) % order.length]
      if (name === undefined) continue
      const begun = performance.now()
      await contenders[name]()
      if (round >= 0) samples[name].push((performance.now() - begun) * 1000)
    }
  }
  return samples
}
