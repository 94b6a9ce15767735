import type { Row } from '../report.ts'
import { median, quantile } from './calls.ts'

type Call = () => Promise<unknown>

/** Result of several callers at work at once. */
interface Load {
  readonly perSecond: number
  /** Time of each call in microseconds. */
  readonly micros: readonly number[]
}

/** Lets each caller make one call after the other for a while. */
async function loadOf(callers: readonly Call[], durationMs: number): Promise<Load> {
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

const rounds = 5

/** Length of one turn in milliseconds. */
const turnMs = 200

/** Measures the same number of callers of the floor and of ours in turns: calls in total, and the time of one. */
export async function measureLoad(
  name: string,
  floor: readonly Call[],
  ours: readonly Call[],
): Promise<readonly [rate: Row, p50: Row, p99: Row]> {
  const samples: { readonly floor: Load; readonly ours: Load }[] = []
  for (let round = -1; round < rounds; round++) {
    const sample = { floor: await loadOf(floor, turnMs), ours: await loadOf(ours, turnMs) }
    if (round >= 0) samples.push(sample)
  }
  const row = (title: string, unit: Row['unit'], of: (load: Load) => number): Row => {
    const floorValue = median(samples.map(sample => of(sample.floor)))
    const value = median(samples.map(sample => of(sample.ours)))
    return {
      name: title,
      unit,
      floor: { of: 'net', value: floorValue },
      ours: value,
      ratio: value / floorValue,
    }
  }
  return [
    row(name, 'requests/s', load => load.perSecond),
    row('  p50', 'µs', load => quantile(load.micros, 0.5)),
    row('  p99', 'µs', load => quantile(load.micros, 0.99)),
  ]
}
