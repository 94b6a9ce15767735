import { availableParallelism, loadavg } from 'node:os'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { paths } from './paths.ts'
import { helpText, readOptions } from './read-options.ts'
import { formatTable } from './report/format-table.ts'
import type { MeasuredPath, PathResult } from './report/row.ts'
import { resultsFile, writeResults } from './report/write-results.ts'

const options = readOptions(process.argv.slice(2), paths)
if (options.kind === 'help') process.stdout.write(helpText(paths))
else if (options.kind === 'mistake') {
  process.stderr.write(`${options.sentence}\n`)
  process.exitCode = 2
} else await run(options.paths)

async function run(chosen: readonly MeasuredPath[]): Promise<void> {
  const results = new Map<string, PathResult>()
  for (const path of chosen) {
    process.stderr.write(`Measuring: ${path.title} …\n`)
    warnOfLoad()
    const result = await path.measure()
    results.set(path.name, result)
    process.stdout.write(`${formatTable(path.title, result)}\n\n`)
  }
  await writeResults(results)
  process.stderr.write(`Written to ${relative(process.cwd(), fileURLToPath(resultsFile))}.\n`)
}

/** Others' work on the machine makes whatever takes several threads or processes look slower than it is. */
function warnOfLoad(): void {
  const [load = 0] = loadavg()
  const cores = availableParallelism()
  if (load > cores)
    process.stderr.write(
      `The machine is busy (load ${load.toFixed(1)} on ${cores} cores): do not trust ratios.\n`,
    )
}
