import { stripVTControlCharacters } from 'node:util'
import pc from 'picocolors'
import { judge } from './judge.ts'
import type { Figure, Goal, PathResult, Row, Unit } from './row.ts'

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
