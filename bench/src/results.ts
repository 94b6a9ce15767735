import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import {
  beyondGoal,
  cellsOf,
  type MeasuredPath,
  missedBy,
  type PathResult,
  type Row,
  ratioOf,
} from './report.ts'

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

/** Writes the lines of a run between the markers of the document. */
export async function writeDocument(titles: readonly Title[], run: Run): Promise<void> {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const columns = ['path', 'line', 'beside', 'measured', 'goal', 'outcome']
  const rows = titles.flatMap(title => linesOf(title, run))
  const { node, platform, cores, processor } = machine
  const parts = {
    machine: `Node ${node}, ${platform}, ${cores} × ${processor}. ${run.measuredAt.slice(0, 16)}Z, load before ${run.load.toFixed(1)}.`,
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

/** The lines of a path that miss their goal, and the one that meets it most narrowly. */
function linesOf({ name }: Title, { paths }: Run): string[][] {
  const result = paths[name]
  const aimed = (result && 'rows' in result ? result.rows : []).flatMap(row =>
    row.goal ? [{ row, goal: row.goal, beyond: beyondGoal(row, row.goal) }] : [],
  )
  const met = aimed.filter(({ beyond }) => beyond <= 0).sort((one, other) => other.beyond - one.beyond)
  return aimed
    .filter(line => line.beyond > 0 || line === met[0])
    .map(({ row, goal: { on }, beyond }) => {
      const [line = '', , ours = '', ratio = '', goal = '', verdict = ''] = cellsOf(row)
      const title = beyond > 0 || met.length === 1 ? line : `${line} (nearest of ${met.length})`
      return [`\`${name}\``, title, row.beside?.of ?? '', on === 'ours' ? ours : ratio, goal, verdict]
    })
}
