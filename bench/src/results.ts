import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { cellsOf, type MeasuredPath, missedBy, type PathResult, type Row, ratioOf } from './report.ts'

export interface Run {
  readonly measuredAt: string
  /** Load of the machine before the run. */
  readonly load: number
  /** By the names of the paths. */
  readonly paths: Readonly<Record<string, PathResult>>
}

type Title = Pick<MeasuredPath, 'name' | 'title'>

const machine = {
  node: process.versions.node,
  platform: `${process.platform}-${process.arch}`,
  processor: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
}

/** Writes all runs as JSON. */
export async function writeResults(runs: readonly Run[]): Promise<void> {
  const withVerdicts = (key: string, value: unknown) =>
    key === 'rows'
      ? (value as Row[]).map(row => ({ ...row, ratio: ratioOf(row), missedBy: missedBy(row) }))
      : value
  const json = JSON.stringify({ machine, runs }, withVerdicts, 2)
  await writeFile(new URL('../results.json', import.meta.url), `${json}\n`)
}

/** Writes the lines of all runs, side by side, between the markers of the document. */
export async function writeDocument(titles: readonly Title[], runs: readonly Run[]): Promise<void> {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const columns = ['path', 'line', 'beside', 'measured', 'goal', '']
  const rows = titles.flatMap(title => linesOf(title, runs))
  const parts = {
    machine: [
      `Node ${machine.node}, ${machine.platform}, ${machine.cores} × ${machine.processor}.`,
      ...runs.map(
        ({ measuredAt, load }) => `Run of ${measuredAt.slice(0, 16)}Z, load before it ${load.toFixed(1)}.`,
      ),
    ].join(' '),
    goals: [lineOf(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(lineOf)].join('\n'),
  }
  const file = new URL('../../docs/performance.md', import.meta.url)
  let text = await readFile(file, 'utf8')
  for (const [name, part] of Object.entries(parts)) {
    const [before, after] = [`<!-- bench: ${name} -->`, `<!-- bench: end of ${name} -->`]
    const [start, end] = [text.indexOf(before), text.indexOf(after)]
    if (start < 0 || end < start) throw new Error(`docs/performance.md has no place for ${name}.`)
    text = `${text.slice(0, start + before.length)}\n\n${part}\n\n${text.slice(end)}`
  }
  await writeFile(file, text)
}

/** The lines of a path that have a goal, and the figure it is for. A cell has the texts of all runs, equal ones once. */
function linesOf({ name }: Title, runs: readonly Run[]): string[][] {
  const results = runs.flatMap(({ paths }) => paths[name] ?? [])
  const [first = [], ...others] = results.map(result =>
    'rows' in result ? result.rows.filter(({ goal }) => goal).map(shortCellsOf) : [],
  )
  return first.map((cells, line) => [
    `\`${name}\``,
    ...cells.map((cell, column) =>
      [...new Set([cell, ...others.map(rows => rows[line]?.[column] ?? '')])].join(', '),
    ),
  ])
}

function shortCellsOf(row: Row): string[] {
  const [name = '', , ours = '', ratio = '', goal = '', verdict = ''] = cellsOf(row).map(cell => cell.trim())
  return [name, row.beside?.of ?? '', row.goal?.on === 'ours' ? ours : ratio, goal, verdict]
}
