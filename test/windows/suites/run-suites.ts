// Runs the suites of the packages in Node for Windows. Arguments are files and options of the test runner.
import { copyFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { WindowsProcess } from '../wine/start-process.ts'
import { useMachine } from '../wine/use-machine.ts'
import { machineFolder, windowsPath } from '../wine/windows-machine.ts'
import { prepareSuites } from './prepare-suites.ts'
import { suites } from './suites.ts'

/** Longest run, in milliseconds. */
const runTimeoutMs = 600_000

const reportOption = '--outputFile.json='
/** Writes the report where the caller asks for it. */
const wanted = process.argv.find(argument => argument.startsWith(reportOption))?.slice(reportOption.length)
const argv = process.argv.slice(2).filter(argument => !/^--(?:reporter|outputFile)\b/.test(argument))
const folder = join(machineFolder(), 'suites')
const own = join(folder, 'test', 'windows', 'suites')
const report = join(folder, 'report.json')
await using windows = await useMachine(() => prepareSuites(folder))
await rm(report, { force: true })
await rm(join(folder, 'pipes'), { recursive: true, force: true })

await using runner = await windows.start(
  windows.node,
  [
    windowsPath(join(folder, 'node_modules', 'vitest', 'vitest.mjs')),
    ...['run', '--config', windowsPath(join(own, 'vitest.suites.ts'))],
    ...['--reporter=default', '--reporter=json', `${reportOption}${windowsPath(report)}`],
    ...argv,
  ],
  {
    cwd: folder,
    env: {
      NODE_OPTIONS: `--import=${windowsUrl(join(own, 'prepare-process.ts'))}`,
      // Tests skip cases that Wine gets wrong.
      SERVICE_TEST_WINE: '1',
      SERVICE_TEST_LAUNCHERS: windowsPath(folder),
    },
    timeoutMs: runTimeoutMs,
  },
)
process.exitCode = (await showUntilEnd(runner)) ?? 1
if (wanted) await copyFile(report, wanted)
if (argv.length === 0) {
  const silent = suitesWithoutTests(JSON.parse(await readFile(report, 'utf8')))
  for (const name of silent) console.error(`No test of ${name} passed on Windows.`)
  if (silent.length > 0) process.exitCode = 1
}

function windowsUrl(file: string): string {
  return pathToFileURL(file).href.replace('file:///', 'file:///Z:/')
}

/** Shows output while the run continues. The output goes to files, which report no changes. */
async function showUntilEnd(process_: WindowsProcess): Promise<number | null> {
  let shown = 0
  let errors = 0
  const show = async () => {
    const text = await process_.stdout()
    const errorText = await process_.stderr()
    process.stdout.write(text.slice(shown))
    process.stderr.write(errorText.slice(errors))
    shown = text.length
    errors = errorText.length
  }
  const ended = new AbortController()
  const exitCode = process_.exited.finally(() => ended.abort())
  while (!ended.signal.aborted) {
    await sleep(500, undefined, { signal: ended.signal }).catch(() => undefined)
    await show()
  }
  return await exitCode
}

/** The used part of the test runner's report. */
interface RunReport {
  readonly testResults: readonly {
    /** The file's path, with either kind of separator. */
    readonly name: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}

/** The names of the suites without a passed test. */
function suitesWithoutTests({ testResults }: RunReport): readonly string[] {
  const hasPassed = (suite: string) =>
    testResults.some(
      ({ name, assertionResults }) =>
        name.replaceAll('\\', '/').includes(`/packages/${suite}/`) &&
        assertionResults.some(({ status }) => status === 'passed'),
    )
  return suites.map(({ name }) => name).filter(name => !hasPassed(name))
}
