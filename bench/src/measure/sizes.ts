import type { Goal, Row } from '../report.ts'
import { measureInTurns } from './calls.ts'

/** One size of an input, and what is done with it. */
export interface Size {
  /** As the table has it. */
  readonly name: string
  readonly floor: () => unknown
  readonly ours: () => unknown
  readonly goal?: Goal
}

/**
 * How much more ours may cost by its floor in the largest size than in the middle one. The sizes are eight times apart
 * or more, so a cost that grows with the square of the size is far beyond it, while caches alone stay below.
 */
const growthGoal: Goal = { on: 'ratio', atMost: 2 }

/**
 * Measures three sizes against their floor, and whether the cost stays in proportion: the floor grows with the input and
 * with what it does to memory and caches, so ours must not grow faster than the floor does.
 *
 * @param floorName what the floor is, for the table
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
