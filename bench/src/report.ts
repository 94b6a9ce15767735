import { stripVTControlCharacters } from 'node:util'
import pc from 'picocolors'

type Unit = 'µs' | 'ms' | 'kB' | 'MB' | 'requests' | 'requests/s'

interface Figure {
  /** Short name of the source: `net`, `jose`. */
  readonly of: string
  readonly value: number
}

/** Bound that design section 15 sets. */
export type Goal =
  | { readonly on: 'ratio'; readonly atMost: number }
  | { readonly on: 'ratio'; readonly atLeast: number }
  /** Bound of {@link Row.ours} itself, in the row's unit. */
  | { readonly on: 'ours'; readonly atMost: number }

export interface Row {
  readonly name: string
  readonly unit: Unit
  readonly floor?: Figure
  readonly peer?: Figure
  readonly ours: number
  /** Ours divided by the floor. If the goal concerns the peer: the peer divided by ours. */
  readonly ratio: number
  /** Absent: the line is for orientation. */
  readonly goal?: Goal
}

export type PathResult = { readonly rows: readonly Row[] } | { readonly skipped: string }

export interface MeasuredPath {
  /** Name for `--only`. */
  readonly name: string
  readonly title: string
  measure(): Promise<PathResult>
}

interface Verdict {
  readonly isMet: boolean
  /** Missing share of the goal: 0.05 is five percent; 0 when it is met. */
  readonly missedBy: number
}

/** Compares a line with its goal; `undefined` without a goal. */
export function judge({ goal, ratio, ours }: Row): Verdict | undefined {
  if (!goal) return undefined
  const value = goal.on === 'ratio' ? ratio : ours
  const missedBy = 'atMost' in goal ? value / goal.atMost - 1 : 1 - value / goal.atLeast
  return { isMet: missedBy <= 0, missedBy: Math.max(0, missedBy) }
}

const head = ['', 'floor', 'peer', 'ours', 'ratio', 'goal', ''].map(title => pc.dim(title))

export function formatTable(title: string, result: PathResult): string {
  if ('skipped' in result) return `${pc.bold(title)}\n  ${pc.yellow('skipped')}: ${result.skipped}`
  const cells = [head, ...result.rows.map(formatRow)]
  const widths = head.map((_, column) => Math.max(...cells.map(row => lengthOf(row[column] ?? ''))))
  const lines = cells.map(row =>
    row
      .map((cell, column) =>
        column === 0 ? padEnd(cell, widths[0] ?? 0) : padStart(cell, widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  return [pc.bold(title), ...lines.map(line => `  ${line}`)].join('\n')
}

/** Cells of a line, coloured for a terminal. */
export function formatRow(row: Row): string[] {
  const verdict = judge(row)
  const outcome = verdict?.isMet ? pc.green('met') : pc.red(`missed by ${percent(verdict?.missedBy ?? 0)}`)
  return [
    row.name,
    formatFigure(row.floor, row.unit),
    formatFigure(row.peer, row.unit),
    formatValue(row.ours, row.unit),
    `${row.ratio.toFixed(2)}×`,
    row.goal ? formatGoal(row.goal, row.unit) : '',
    verdict ? outcome : '',
  ]
}

function formatFigure(figure: Figure | undefined, unit: Unit): string {
  return figure ? `${pc.dim(figure.of)} ${formatValue(figure.value, unit)}` : ''
}

function formatGoal(goal: Goal, unit: Unit): string {
  const [sign, limit] = 'atMost' in goal ? ['≤', goal.atMost] : ['≥', goal.atLeast]
  return goal.on === 'ratio' ? `${sign} ${limit.toFixed(2)}×` : `${sign} ${limit} ${unit}`
}

function formatValue(value: number, unit: Unit): string {
  const digits = value >= 1000 ? 0 : value >= 100 ? 1 : 2
  return `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
}

function lengthOf(cell: string): number {
  return stripVTControlCharacters(cell).length
}

function padStart(cell: string, width: number): string {
  return ' '.repeat(width - lengthOf(cell)) + cell
}

function padEnd(cell: string, width: number): string {
  return cell + ' '.repeat(width - lengthOf(cell))
}
