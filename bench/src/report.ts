import { writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import pc from 'picocolors'

/** The unit of a figure. */
type Unit = 'µs' | 'ms' | 'MB' | 'requests/s'

/** A figure and its source. */
interface Figure {
  /** Short name of the source: `net`, `jose`. */
  readonly of: string
  readonly value: number
}

/** Bound that design section 15 sets. */
export type Goal =
  /** Bound of {@link Row.ratio}. */
  | { readonly on: 'ratio'; readonly atMost: number }
  | { readonly on: 'ratio'; readonly atLeast: number }
  /** Bound of {@link Row.ours} itself, in the row's unit. */
  | { readonly on: 'ours'; readonly atMost: number }

/** One line of the table. */
export interface Row {
  /** The measured input or call. */
  readonly name: string
  readonly unit: Unit
  /** The lowest possible cost: the same work without our code. */
  readonly floor?: Figure
  /** An alternative that others would use. */
  readonly peer?: Figure
  readonly ours: number
  /** Ours divided by the floor. If the goal concerns the peer: the peer divided by ours. */
  readonly ratio: number
  /** Absent: the line is for orientation. */
  readonly goal?: Goal
}

/** The result of one measured path. */
export type PathResult = { readonly rows: readonly Row[] } | { readonly skipped: string }

/** One measured path: a file of `paths/`. */
export interface MeasuredPath {
  /** Name for `--only`. */
  readonly name: string
  /** Heading of its lines. */
  readonly title: string
  measure(): Promise<PathResult>
}

/** Whether a line reaches its goal, and by how much it misses. */
interface Verdict {
  readonly isMet: boolean
  /** Missing share of the goal: 0.05 is five percent; 0 when it is met. */
  readonly missedBy: number
}

/** Compares a line with its goal; `undefined` without a goal. */
function judge({ goal, ratio, ours }: Row): Verdict | undefined {
  if (!goal) return undefined
  const value = goal.on === 'ratio' ? ratio : ours
  const missedBy = 'atMost' in goal ? value / goal.atMost - 1 : 1 - value / goal.atLeast
  return { isMet: missedBy <= 0, missedBy: Math.max(0, missedBy) }
}

const head = ['', 'floor', 'peer', 'ours', 'ratio', 'goal', ''].map(title => pc.dim(title))

/** Writes the lines of one path as aligned columns: floor, peer, ours, ratio, goal, verdict. */
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

function formatRow(row: Row): string[] {
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

/** The result file of a run. */
export const resultsFile = new URL('../results.json', import.meta.url)

/** Writes the figures of a run for later comparison: paths by name, ratios, verdicts, reasons for skips. */
export async function writeResults(results: ReadonlyMap<string, PathResult>): Promise<void> {
  const paths = [...results].map(([name, result]) => [
    name,
    'skipped' in result ? result : { rows: result.rows.map(row => ({ ...row, ...judge(row) })) },
  ])
  const machine = {
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    cores: availableParallelism(),
    load: loadavg()[0],
  }
  const content = { measuredAt: new Date().toISOString(), machine, paths: Object.fromEntries(paths) }
  await writeFile(resultsFile, `${JSON.stringify(content, undefined, 2)}\n`)
}
