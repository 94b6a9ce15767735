import { Bench } from 'tinybench'
import { median } from './quantile.ts'

/** What is compared, by name. */
export type Contenders<Name extends string> = Readonly<Record<Name, () => unknown>>

/** Options of {@link measureInTurns}. */
export interface TurnOptions {
  /** How often each has its turn. Default 15. */
  readonly rounds?: number
  /** Length of one turn in milliseconds. Default 40. */
  readonly turnMs?: number
}

/** What turns gave. */
export interface Turns<Name extends string> {
  /** Time of one call in microseconds: median of the turns' medians. */
  readonly micros: Readonly<Record<Name, number>>
  /** Median of the ratios of two within one round, so that what slows the machine for a while counts for both. */
  ratio(of: Name, to: Name): number
}

/** Measures calls in this process, each in many short turns that alternate with those of the others. */
export async function measureInTurns<Name extends string>(
  contenders: Contenders<Name>,
  { rounds = 15, turnMs = 40 }: TurnOptions = {},
): Promise<Turns<Name>> {
  const names = Object.keys(contenders) as Name[]
  const benches = new Map(names.map(name => [name, benchOf(contenders[name], turnMs)]))
  const samples = new Map(names.map(name => [name, [] as number[]]))
  for (let round = -1; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const micros = await runTurn(benches.get(name))
      if (round >= 0) samples.get(name)?.push(micros)
    }
  }
  const of = (name: Name) => samples.get(name) ?? []
  return {
    micros: Object.fromEntries(names.map(name => [name, median(of(name))])) as Record<Name, number>,
    ratio: (one, other) => median(of(one).map((micros, round) => micros / (of(other)[round] ?? Number.NaN))),
  }
}

function benchOf(call: () => unknown, turnMs: number): Bench {
  const bench = new Bench({ time: turnMs, iterations: 8, warmup: false, throws: true })
  return bench.add('turn', call)
}

async function runTurn(bench: Bench | undefined): Promise<number> {
  const [task] = (await bench?.run()) ?? []
  const result = task?.result
  if (!result || !('latency' in result)) throw new Error('The turn gave no result.')
  return result.latency.p50 * 1000
}
