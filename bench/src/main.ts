import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { formatTable, type MeasuredPath, type PathResult } from './report.ts'
import { type Run, writeDocument, writeResults } from './results.ts'

/** Files of `paths/`, in the order of the table. */
const files = [
  'verify-payload',
  'receiver',
  'service-posts',
  'xml-file',
  'pipe',
  'second-launch',
  'browser',
  'web-app',
  'first-paint',
  'imports',
  'growth',
]

/** Every path with its file and its export, whose name ends in `Path`. */
const found = files.map(async file => {
  const exported: Record<string, MeasuredPath> = await import(`./paths/${file}.ts`)
  return Object.entries(exported).flatMap(([name, path]) =>
    name.endsWith('Path') ? [{ ...path, from: [file, name] }] : [],
  )
})
const paths = (await Promise.all(found)).flat()
type FoundPath = (typeof paths)[number]
const width = Math.max(...paths.map(({ name }) => name.length))
const help = `npm run bench [-- --only=<name>[,<name>] --runs=<count> --docs]

Builds the packages, measures them beside their floors and peers, prints a table, and writes bench/results.json.

  --runs  repeats the whole
  --docs  also writes the last run into docs/performance.md; not with --only

${paths.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join('\n')}

The columns are explained in bench/README.md. Exit code 0 also when a goal is missed; 2 when nothing was measured.
`

function choosePaths(only: readonly string[]): readonly FoundPath[] {
  const names = only.flatMap(value => value.split(','))
  const known = paths.map(({ name }) => name)
  const missing = names.find(name => !known.includes(name))
  if (missing !== undefined) throw new TypeError(`There is no path "${missing}". Known: ${known.join(', ')}.`)
  return names.length === 0 ? paths : paths.filter(path => names.includes(path.name))
}

async function runOnce(chosen: readonly FoundPath[]): Promise<Run> {
  const measuredAt = new Date().toISOString()
  const [load = 0] = loadavg()
  const paths: Record<string, PathResult> = {}
  for (const path of chosen) {
    process.stderr.write(`Measuring: ${path.title} …\n`)
    warnOfLoad()
    const result = await measureAlone(path)
    paths[path.name] = result
    process.stdout.write(`${formatTable(path.title, result)}\n\n`)
  }
  return { measuredAt, load, paths }
}

/** Measures in a new process: starting other processes takes longer from a large one. */
async function measureAlone({ name, from }: FoundPath): Promise<PathResult> {
  const child = fork(new URL('measure-path.ts', import.meta.url), from)
  let result: PathResult | undefined
  child.on('message', (message: PathResult) => {
    result = message
  })
  await Promise.all([once(child, 'disconnect'), once(child, 'exit')])
  if (!result) throw new Error(`The path "${name}" was not measured; see above.`)
  return result
}

/** Other work on the machine slows measurements with several threads or processes. */
function warnOfLoad(): void {
  const [load = 0] = loadavg()
  const cores = availableParallelism()
  if (load > cores)
    process.stderr.write(
      `The machine is busy (load ${load.toFixed(1)} on ${cores} cores): do not trust ratios.\n`,
    )
}

let runCount = 1
let writesDocument = false
let chosen: readonly FoundPath[] | undefined
try {
  const { values } = parseArgs({
    // npm drops the first `--`; other ways to start keep it.
    args: process.argv.slice(process.argv[2] === '--' ? 3 : 2),
    options: {
      only: { type: 'string', multiple: true, default: [] },
      runs: { type: 'string', default: '1' },
      docs: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  runCount = Number(values.runs)
  if (!(runCount >= 1)) throw new TypeError('--runs takes a number of runs.')
  writesDocument = values.docs
  if (writesDocument && values.only.length > 0) throw new TypeError('--docs needs all paths.')
  if (values.help) process.stdout.write(help)
  else chosen = choosePaths(values.only)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error} See --help.\n`)
  process.exitCode = 2
}
if (chosen) {
  const runs: Run[] = []
  while (runs.length < runCount) runs.push(await runOnce(chosen))
  await writeResults(runs)
  const last = runs.at(-1)
  if (writesDocument && last) await writeDocument(chosen, last)
  process.stderr.write(`Written to bench/results.json${writesDocument ? ' and docs/performance.md' : ''}.\n`)
}
