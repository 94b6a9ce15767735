import { growthOf, type Row } from '../report.ts'
import { measureInTurns } from './calls.ts'

/** The same work on an input of some size, and what it costs at least. */
export interface Size {
  readonly name: string
  readonly floor: () => unknown
  readonly ours: () => unknown
}

/** Measures sizes in ascending order against their floor: a line for each, and one for the growth of the cost. */
export async function measureSizes(
  subject: string,
  floorName: string,
  sizes: readonly Size[],
): Promise<{ readonly rows: readonly Row[]; readonly growth: Row }> {
  const contenders = sizes.flatMap(({ floor, ours }, index) => [
    [`floor of ${index}`, floor] as const,
    [`${index}`, ours] as const,
  ])
  const micros = await measureInTurns(Object.fromEntries(contenders), 30)
  const rows = sizes.map(({ name }, index): Row => {
    const beside = { of: floorName, value: micros[`floor of ${index}`] ?? Number.NaN }
    return { name, unit: 'µs', beside, ours: micros[index] ?? Number.NaN }
  })
  return { rows, growth: growthOf(subject, rows) }
}
