import type { Goal, Row } from '../report.ts'
import { measureInTurns } from './calls.ts'

/** One size of an input and the calls to compare on it. */
export interface Size {
  /** Name in the table. */
  readonly name: string
  readonly floor: () => unknown
  readonly ours: () => unknown
  readonly goal?: Goal
}

/**
 * Highest growth of the ratio from the middle to the largest size. The sizes differ by a factor of eight or more, so
 * quadratic cost exceeds it clearly, and cache effects stay below.
 */
const growthGoal: Goal = { on: 'ratio', atMost: 2 }

/**
 * Measures three sizes against their floor and checks that the cost stays in proportion. The floor grows with the input
 * and its use of memory and caches; ours must not grow faster.
 *
 * @param floorName name of the floor in the table
 */
export async function measureSizes(floorName: string, sizes: readonly [Size, Size, Size]): Promise<Row[]> {
  const [small, middle, large] = sizes
  const micros = await measureInTurns(
    {
      smallFloor: small.floor,
      small: small.ours,
      middleFloor: middle.floor,
      middle: middle.ours,
      largeFloor: large.floor,
      large: large.ours,
    },
    { turnMs: 30 },
  )
  const row = ({ name, goal }: Size, floor: number, ours: number): Row => ({
    name,
    unit: 'µs',
    floor: { of: floorName, value: floor },
    ours,
    ratio: ours / floor,
    ...(goal ? { goal } : {}),
  })
  const largeRatio = micros.large / micros.largeFloor
  const middleRatio = micros.middle / micros.middleFloor
  return [
    row(small, micros.smallFloor, micros.small),
    row(middle, micros.middleFloor, micros.middle),
    row(large, micros.largeFloor, micros.large),
    {
      name: '  growth: last ratio by the one before',
      unit: 'µs',
      ours: micros.large,
      ratio: largeRatio / middleRatio,
      goal: growthGoal,
    },
  ]
}
