import type { Row } from '../report.ts'
import { inTurns, medianOf, quantile } from './calls.ts'

type Call = () => Promise<unknown>

/** Result of several callers at work at once. */
export interface Load {
  readonly perSecond: number
  /** Time of each call in microseconds. */
  readonly micros: readonly number[]
}

/** Lets each caller make one call after the other for a while. */
export async function loadOf(callers: readonly Call[], durationMs: number): Promise<Load> {
  const micros: number[] = []
  const begun = performance.now()
  const makeCalls = async (call: Call) => {
    for (let at = begun; at < begun + durationMs; ) {
      await call()
      const end = performance.now()
      micros.push((end - at) * 1000)
      at = end
    }
  }
  await Promise.all(callers.map(makeCalls))
  return { perSecond: micros.length / ((performance.now() - begun) / 1000), micros }
}

/** Measures the same number of callers of the floor and of ours in turns: time by the calls of all, and the slowest ones. */
export async function measureLoad(
  name: string,
  floor: readonly Call[],
  ours: readonly Call[],
): Promise<readonly [mean: Row, p99: Row]> {
  const turns = { floor: () => loadOf(floor, 200), ours: () => loadOf(ours, 200) }
  const loads = await inTurns(turns, { rounds: 5, warmUp: 1 })
  const row = (title: string, of: (load: Load) => number): Row => ({
    name: title,
    unit: 'µs',
    beside: { of: 'net', value: medianOf(loads.floor, of) },
    ours: medianOf(loads.ours, of),
  })
  return [
    row(`${name}: time by calls of all`, load => 1e6 / load.perSecond),
    row('  p99 of a call', load => quantile(load.micros, 0.99)),
  ]
}
