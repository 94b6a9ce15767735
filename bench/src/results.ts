import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { formatRow, judge, type MeasuredPath, type PathResult, type Row } from './report.ts'

export interface Run {
  readonly measuredAt: string
  /** Load of the machine before the run. */
  readonly load: number
  /** By the names of the paths. */
  readonly results: ReadonlyMap<string, PathResult>
}

type Title = Pick<MeasuredPath, 'name' | 'title'>

/** Writes all runs as JSON, and side by side as tables in Markdown. */
export async function writeResults(paths: readonly Title[], runs: readonly Run[]): Promise<void> {
  const machine = {
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
  }
  const judged = runs.map(({ results, ...about }) => ({
    ...about,
    paths: Object.fromEntries([...results].map(([name, result]) => [name, withVerdicts(result)])),
  }))
  const json = `${JSON.stringify({ machine, runs: judged }, undefined, 2)}\n`
  await writeFile(new URL('../results.json', import.meta.url), json)
  const about = [
    `Node ${machine.node}, ${machine.platform}, ${machine.cores} × ${machine.processor}.`,
    ...runs.map(
      ({ measuredAt, load }) => `Run of ${measuredAt.slice(0, 16)}Z, load before it ${load.toFixed(1)}.`,
    ),
  ].join(' ')
  const tables = [about, tableOf(paths, runs, true), tableOf(paths, runs, false)]
  await writeFile(new URL('../results.md', import.meta.url), `${tables.join('\n\n')}\n`)
}

function withVerdicts(result: PathResult) {
  return 'skipped' in result ? result : { rows: result.rows.map(row => ({ ...row, ...judge(row) })) }
}

/** The lines with a goal, or those without one. A cell has a line for each run. */
function tableOf(paths: readonly Title[], runs: readonly Run[], hasGoal: boolean): string {
  const lines = paths.flatMap(({ name, title }) => {
    const [first = [], ...others] = runs.map(({ results }) => rowsOf(results.get(name)))
    return first.flatMap((row, index) => {
      if ((row.goal !== undefined) !== hasGoal) return []
      const cells = [row, ...others.flatMap(rows => rows[index] ?? [])].map(formatRow)
      return [[title, row.name.trim(), ...joinRuns(cells).slice(1)]]
    })
  })
  const head = ['path', 'line', 'floor', 'peer', 'ours', 'ratio', ...(hasGoal ? ['goal', ''] : [])]
  return [head, head.map(() => '---'), ...lines]
    .map(cells => `| ${cells.slice(0, head.length).join(' | ')} |`)
    .join('\n')
}

function rowsOf(result: PathResult | undefined): readonly Row[] {
  return result && 'rows' in result ? result.rows : []
}

/** Joins the cells of several runs, equal ones once. */
function joinRuns(runs: readonly (readonly string[])[]): string[] {
  return (runs[0] ?? []).map((_, column) =>
    [...new Set(runs.map(cells => stripVTControlCharacters(cells[column] ?? '')))].join('<br>'),
  )
}
