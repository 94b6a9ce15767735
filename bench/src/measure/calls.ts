import { Bench } from 'tinybench'

/** Value below which the given share of the samples lies; 0.5 is the median. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5)
}

/** Median of a figure of several samples. */
export function medianOf<Sample>(samples: readonly Sample[], figure: (sample: Sample) => number): number {
  return median(samples.map(figure))
}

/** Median of the ratios of the samples that were measured one after the other. */
export function medianRatio(samples: readonly number[], others: readonly number[]): number {
  return median(samples.map((sample, round) => sample / (others[round] ?? Number.NaN)))
}

interface TurnOptions {
  readonly rounds: number
  /** Rounds before, whose results are dropped. */
  readonly warmUp: number
}

/**
 * Gives each contender its turn once a round, so that a slow phase of the machine slows them all. The order changes:
 * each follows each of the others, because the clean-up of one slows the next.
 */
export async function inTurns<Name extends string, Result>(
  contenders: Readonly<Record<Name, (round: number) => Promise<Result>>>,
  { rounds, warmUp }: TurnOptions,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(contenders) as Name[]
  const results = Object.fromEntries(names.map(name => [name, [] as Result[]])) as Record<Name, Result[]>
  for (let round = 0; round < warmUp + rounds; round++) {
    const order = (round - warmUp) % 2 === 0 ? names : names.toReversed()
    for (let turn = 0; turn < order.length; turn++) {
      const name = order[(turn + round) % order.length]
      if (name === undefined) continue
      const result = await contenders[name](round)
      if (round >= warmUp) results[name].push(result)
    }
  }
  return results
}

interface CallTurnOptions extends Partial<TurnOptions> {
  readonly rounds: number
  /** Calls of one turn, one after the other. Default 1. */
  readonly callsPerTurn?: number
}

/** Measures calls that leave this process, in microseconds. */
export async function measureCallsInTurns<Name extends string>(
  contenders: Readonly<Record<Name, () => Promise<unknown>>>,
  { rounds, warmUp = 100, callsPerTurn = 1 }: CallTurnOptions,
): Promise<Record<Name, readonly number[]>> {
  const timed = (call: () => Promise<unknown>) => async () => {
    const times: number[] = []
    for (let made = 0; made < callsPerTurn; made++) {
      const begun = performance.now()
      await call()
      times.push((performance.now() - begun) * 1000)
    }
    return times
  }
  return mapValues(await inTurns(mapValues(contenders, timed), { rounds, warmUp }), times => times.flat())
}

/** Warm-up of each call in milliseconds, until its code is optimized. */
const warmUpMs = 300

/**
 * Measures calls in this process in many short turns. Returns microseconds: the lower quartile of the turns' medians, so
 * that busy turns count little.
 */
export async function measureInTurns<Name extends string>(
  contenders: Readonly<Record<Name, () => unknown>>,
  turnMs = 40,
): Promise<Readonly<Record<Name, number>>> {
  for (const call of Object.values<() => unknown>(contenders)) await turnOf(call, warmUpMs)()
  const turns = mapValues(contenders, call => turnOf(call, turnMs))
  return mapValues(await inTurns(turns, { rounds: 15, warmUp: 0 }), samples => quantile(samples, 0.25))
}

function turnOf(call: () => unknown, turnMs: number): () => Promise<number> {
  const bench = new Bench({ time: turnMs, iterations: 8, warmup: false, throws: true }).add('turn', call)
  return async () => {
    const [task] = await bench.run()
    if (!task || !('latency' in task.result)) throw new Error('The turn gave no result.')
    return task.result.latency.p50 * 1000
  }
}

function mapValues<Name extends string, Value, Mapped>(
  values: Readonly<Record<Name, Value>>,
  map: (value: Value) => Mapped,
): Record<Name, Mapped> {
  const mapped = Object.entries<Value>(values).map(([name, value]) => [name, map(value)])
  return Object.fromEntries(mapped) as Record<Name, Mapped>
}
