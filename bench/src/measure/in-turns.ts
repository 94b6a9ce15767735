import { Bench } from 'tinybench'
import { quantile } from './quantile.ts'

/** What is compared, by name. */
export type Contenders<Name extends string> = Readonly<Record<Name, () => unknown>>

/** Options of {@link measureInTurns}. */
export interface TurnOptions {
  /** How often each has its turn. Default 15. */
  readonly rounds?: number
  /** Length of one turn in milliseconds. Default 40. */
  readonly turnMs?: number
}

/** How long each runs before anything counts, in milliseconds: until its code is compiled for speed. */
const warmUpMs = 300

/** Time of one call in microseconds. */
export type Micros<Name extends string> = Readonly<Record<Name, number>>

/**
 * Measures calls in this process, each in many short turns that alternate with those of the others.
 *
 * @returns the lower quartile of the turns' medians: turns in which the machine did something else count little
 */
export async function measureInTurns<Name extends string>(
  contenders: Contenders<Name>,
  { rounds = 15, turnMs = 40 }: TurnOptions = {},
): Promise<Micros<Name>> {
  const names = Object.keys(contenders) as Name[]
  for (const name of names) await runTurn(benchOf(contenders[name], warmUpMs))
  const benches = new Map(names.map(name => [name, benchOf(contenders[name], turnMs)]))
  const samples = new Map(names.map(name => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      samples.get(name)?.push(await runTurn(benches.get(name)))
    }
  }
  return Object.fromEntries(
    names.map(name => [name, quantile(samples.get(name) ?? [], 0.25)]),
  ) as Micros<Name>
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
