import type { Row } from './row.ts'

/** Whether a line reaches its goal, and by how much it misses it. */
export interface Verdict {
  readonly isMet: boolean
  /** Share of the goal that is missing: 0.05 is five percent; 0 when it is met. */
  readonly missedBy: number
}

/** Compares a line with its goal; `undefined` when it has none. */
export function judge({ goal, ratio, ours }: Row): Verdict | undefined {
  if (!goal) return undefined
  const value = goal.on === 'ratio' ? ratio : ours
  const missedBy = 'atMost' in goal ? value / goal.atMost - 1 : 1 - value / goal.atLeast
  return { isMet: missedBy <= 0, missedBy: Math.max(0, missedBy) }
}
