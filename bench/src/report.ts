import { styleText } from 'node:util'

type Unit = 'µs' | 'ms' | 'kB' | 'MB' | 'requests' | 'requests/s' | 'of the view'

interface Figure {
  /** Short name of the source: `net`, `jose`. */
  readonly of: string
  readonly value: number
}

/** Bound that design section 15 sets: of the ratio, or of ours in the row's unit. */
export type Goal = { readonly on: 'ratio' | 'ours' } & (
  | { readonly atMost: number }
  | { readonly atLeast: number }
)

export interface Row {
  readonly name: string
  readonly unit: Unit
  /** Floor or peer that took turns with ours. */
  readonly beside?: Figure
  readonly ours: number
  /** Default: ours divided by `beside`, if there is one. */
  readonly ratio?: number
  /** Absent: the line is part of another one. */
  readonly goal?: Goal | undefined
}

export type PathResult = { readonly rows: readonly Row[] } | { readonly skipped: string }

export interface MeasuredPath {
  /** Name for `--only`. */
  readonly name: string
  readonly title: string
  measure(): Promise<PathResult>
}

export function ratioOf({ ratio, ours, beside }: Row): number | undefined {
  return ratio ?? (beside && ours / beside.value)
}

/** Missing share of the goal: 0.05 is five percent; 0 when it is met; `undefined` without a goal. */
export function missedBy(row: Row): number | undefined {
  return row.goal && Math.max(0, beyondGoal(row, row.goal))
}

/** Like {@link missedBy}, and negative by what is left when the goal is met. */
export function beyondGoal(row: Row, goal: Goal): number {
  const value = goal.on === 'ratio' ? (ratioOf(row) ?? Number.NaN) : row.ours
  return 'atMost' in goal ? value / goal.atMost - 1 : 1 - value / goal.atLeast
}

/**
 * Compares how much the last line and the one before cost beyond their floor. The sizes differ by a factor of four or
 * more: quadratic cost exceeds the goal clearly, and cache effects stay below.
 */
export function growthOf(subject: string, rows: readonly Row[]): Row {
  const [before, last] = rows.slice(-2)
  const [first, second] = [before && ratioOf(before), last && ratioOf(last)]
  if (!last || first === undefined || second === undefined) throw new TypeError('Growth needs two lines.')
  const { unit, ours } = last
  const goal = { on: 'ratio', atMost: 2 } as const
  return {
    name: `growth with ${subject}: last ratio and the one before`,
    unit,
    ours,
    ratio: second / first,
    goal,
  }
}

const head = ['', 'beside', 'ours', 'ratio', 'goal', '']

/** The lines of a path as a table for a terminal. */
export function formatTable(title: string, result: PathResult): string {
  const name = styleText('bold', title)
  if ('skipped' in result) return `${name}\n  ${styleText('yellow', 'skipped')}: ${result.skipped}`
  const cells = [head, ...result.rows.map(cellsOf)]
  const widths = head.map((_, column) => Math.max(...cells.map(row => row[column]?.length ?? 0)))
  const lines = cells.map(row =>
    row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  )
  return [name, ...lines.map(line => line.join('  ').trimEnd())].join('\n  ')
}

/** Cells of a line. */
export function cellsOf(row: Row): string[] {
  const { name, beside, ours, unit, goal } = row
  const ratio = ratioOf(row)
  const missed = missedBy(row)
  return [
    name,
    beside ? `${beside.of} ${formatValue(beside.value, unit)}` : '',
    formatValue(ours, unit),
    ratio === undefined ? '' : `${ratio.toFixed(2)}×`,
    goal ? formatGoal(goal, unit) : '',
    missed === undefined
      ? ''
      : missed === 0
        ? 'met'
        : `missed by ${(missed * 100).toFixed(missed < 0.1 ? 1 : 0)} %`,
  ]
}

function formatGoal(goal: Goal, unit: Unit): string {
  const [sign, limit] = 'atMost' in goal ? ['≤', goal.atMost] : ['≥', goal.atLeast]
  return goal.on === 'ratio'
    ? `${sign} ${limit.toFixed(2)}×`
    : `${sign} ${(limit < 1 ? limit : Math.round(limit)).toLocaleString('en')} ${unit}`
}

function formatValue(value: number, unit: Unit): string {
  const digits = value >= 1000 ? 0 : value >= 100 ? 1 : 2
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`
}
