import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { bridgeCommandPath, idleMemoryPath } from './paths/browser.ts'
import { clientsPath } from './paths/clients.ts'
import { framesPath } from './paths/frames.ts'
import { importsPath } from './paths/imports.ts'
import { growthPath, xmlFilePath } from './paths/input-sizes.ts'
import { pipeClassicPath, pipeSessionPath } from './paths/pipe.ts'
import { receiverPath } from './paths/receiver.ts'
import { secondLaunchPath } from './paths/second-launch.ts'
import { servicePostsPath } from './paths/service-posts.ts'
import { testWrapperPath } from './paths/test-wrapper.ts'
import { verifyPayloadPath } from './paths/verify-payload.ts'
import { webAppPath } from './paths/web-app.ts'
import { wrappersPath } from './paths/wrappers.ts'
import { formatTable, type MeasuredPath, type PathResult } from './report.ts'
import { type Run, writeResults } from './results.ts'

const paths: readonly MeasuredPath[] = [
  verifyPayloadPath,
  xmlFilePath,
  pipeClassicPath,
  pipeSessionPath,
  secondLaunchPath,
  receiverPath,
  servicePostsPath,
  bridgeCommandPath,
  webAppPath,
  idleMemoryPath,
  growthPath,
  framesPath,
  clientsPath,
  wrappersPath,
  testWrapperPath,
  importsPath,
]

const width = Math.max(...paths.map(({ name }) => name.length))
const help = `npm run bench [-- --only=<name>[,<name>] --runs=<count>]

Builds the packages, measures them beside their floors and peers, prints a table, and writes bench/results.json and
bench/results.md. --runs repeats the whole; the files then hold all runs, side by side.

${paths.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join('\n')}

The columns are explained in bench/README.md. Exit code 0 also when a goal is missed; 2 when nothing was measured.
`

function choosePaths(only: readonly string[]): readonly MeasuredPath[] {
  const names = only.flatMap(value => value.split(','))
  const known = paths.map(({ name }) => name)
  const missing = names.find(name => !known.includes(name))
  if (missing !== undefined) throw new TypeError(`There is no path "${missing}". Known: ${known.join(', ')}.`)
  return names.length === 0 ? paths : paths.filter(path => names.includes(path.name))
}

async function runOnce(chosen: readonly MeasuredPath[]): Promise<Run> {
  const measuredAt = new Date().toISOString()
  const [load = 0] = loadavg()
  const results = new Map<string, PathResult>()
  for (const path of chosen) {
    process.stderr.write(`Measuring: ${path.title} …\n`)
    warnOfLoad()
    const result = await path.measure()
    results.set(path.name, result)
    process.stdout.write(`${formatTable(path.title, result)}\n\n`)
  }
  return { measuredAt, load, results }
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
let chosen: readonly MeasuredPath[] | undefined
try {
  const { values } = parseArgs({
    // npm drops the first `--`; other ways to start keep it.
    args: process.argv.slice(process.argv[2] === '--' ? 3 : 2),
    options: {
      only: { type: 'string', multiple: true, default: [] },
      runs: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  runCount = Number(values.runs)
  if (!(runCount >= 1)) throw new TypeError('--runs takes a number of runs.')
  if (values.help) process.stdout.write(help)
  else chosen = choosePaths(values.only)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error} See --help.\n`)
  process.exitCode = 2
}
if (chosen) {
  const runs: Run[] = []
  while (runs.length < runCount) runs.push(await runOnce(chosen))
  await writeResults(chosen, runs)
  process.stderr.write('Written to bench/results.json and bench/results.md.\n')
}
