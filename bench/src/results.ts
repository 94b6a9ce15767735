import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { cellsOf, head, type MeasuredPath, missedBy, type PathResult, type Row, ratioOf } from './report.ts'

export interface Run {
  readonly measuredAt: string
  /** Load of the machine before the run. */
  readonly load: number
  /** By the names of the paths. */
  readonly paths: Readonly<Record<string, PathResult>>
}

type Title = Pick<MeasuredPath, 'name' | 'title'>

/** Writes all runs as JSON, and side by side as tables in Markdown. */
export async function writeResults(titles: readonly Title[], runs: readonly Run[]): Promise<void> {
  const machine = {
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
  }
  const withVerdicts = (key: string, value: unknown) =>
    key === 'rows'
      ? (value as Row[]).map(row => ({ ...row, ratio: ratioOf(row), missedBy: missedBy(row) }))
      : value
  const json = JSON.stringify({ machine, runs }, withVerdicts, 2)
  await writeFile(new URL('../results.json', import.meta.url), `${json}\n`)
  const about = [
    `Node ${machine.node}, ${machine.platform}, ${machine.cores} × ${machine.processor}.`,
    ...runs.map(
      ({ measuredAt, load }) => `Run of ${measuredAt.slice(0, 16)}Z, load before it ${load.toFixed(1)}.`,
    ),
  ].join(' ')
  const lines = titles.flatMap(title => linesOf(title, runs))
  const tables = [
    formatTable(lines.filter(cells => cells.at(-1) !== '')),
    formatTable(lines.filter(cells => cells.at(-1) === '').map(cells => cells.slice(0, -2))),
  ]
  await writeFile(new URL('../results.md', import.meta.url), `${[about, ...tables].join('\n\n')}\n`)
}

/** The lines of a path. A cell has the texts of all runs, equal ones once. */
function linesOf({ name, title }: Title, runs: readonly Run[]): string[][] {
  const [first = [], ...others] = runs.map(({ paths }) => {
    const result = paths[name]
    return result && 'rows' in result ? result.rows.map(cellsOf) : []
  })
  return first.map((cells, line) => [
    title,
    ...cells.map((cell, column) =>
      [...new Set([cell, ...others.map(run => run[line]?.[column] ?? '')].map(text => text.trim()))].join(
        '<br>',
      ),
    ),
  ])
}

function formatTable(lines: readonly (readonly string[])[]): string {
  const titles = ['path', 'line', ...head.slice(1)].slice(0, lines[0]?.length)
  return [titles, titles.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}
