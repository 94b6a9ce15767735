import { availableParallelism, loadavg } from 'node:os'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bridgeCommandPath, idleMemoryPath } from './paths/browser.ts'
import { growthPath, xmlFilePath } from './paths/input-sizes.ts'
import { pipeClassicPath } from './paths/pipe-classic.ts'
import { pipeSessionPath } from './paths/pipe-session.ts'
import { receiverPath } from './paths/receiver.ts'
import { secondLaunchPath } from './paths/second-launch.ts'
import { testWrapperPath } from './paths/test-wrapper.ts'
import { verifyPayloadPath } from './paths/verify-payload.ts'
import { formatTable, type MeasuredPath, type PathResult, resultsFile, writeResults } from './report.ts'

const paths: readonly MeasuredPath[] = [
  verifyPayloadPath,
  xmlFilePath,
  pipeClassicPath,
  pipeSessionPath,
  secondLaunchPath,
  receiverPath,
  bridgeCommandPath,
  idleMemoryPath,
  growthPath,
  testWrapperPath,
]

type BenchOptions =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly paths: readonly MeasuredPath[] }
  | { readonly kind: 'mistake'; readonly sentence: string }

function readOptions(argv: readonly string[], known: readonly MeasuredPath[]): BenchOptions {
  const { values, tokens } = parseArgs({
    // npm drops the first `--`; other ways to start keep it.
    args: argv[0] === '--' ? argv.slice(1) : [...argv],
    options: { only: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
  })
  if (values.help) return { kind: 'help' }
  const unknown = tokens.find(token => token.kind !== 'option' || token.name !== 'only')
  if (unknown)
    return { kind: 'mistake', sentence: `Argument ${unknown.index + 1} means nothing here. See --help.` }
  const names = (values.only ?? []).flatMap(value => String(value).split(','))
  const missing = names.find(name => !known.some(path => path.name === name))
  if (missing !== undefined)
    return { kind: 'mistake', sentence: `There is no path "${missing}". Known: ${listNames(known)}.` }
  return { kind: 'run', paths: names.length === 0 ? known : known.filter(path => names.includes(path.name)) }
}

function helpText(known: readonly MeasuredPath[]): string {
  const width = Math.max(...known.map(({ name }) => name.length))
  return `npm run bench [-- --only=<name>[,<name>]]

Builds the packages, measures them beside their floors and peers, prints a table and writes bench/results.json.

${known.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join('\n')}

The columns are explained in bench/README.md. Exit code 0 also when a goal is missed; 2 when nothing was measured.
`
}

function listNames(known: readonly MeasuredPath[]): string {
  return known.map(({ name }) => name).join(', ')
}

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

/** Other work on the machine slows measurements with several threads or processes. */
function warnOfLoad(): void {
  const [load = 0] = loadavg()
  const cores = availableParallelism()
  if (load > cores)
    process.stderr.write(
      `The machine is busy (load ${load.toFixed(1)} on ${cores} cores): do not trust ratios.\n`,
    )
}
