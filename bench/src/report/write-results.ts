import { writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { judge } from './judge.ts'
import type { PathResult } from './row.ts'

/** The file that a run leaves. */
export const resultsFile = new URL('../../results.json', import.meta.url)

/** Keeps the figures of a run for comparison with another: paths by name, ratios, verdicts, reasons of what was skipped. */
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
