// Tests on Windows, which is Wine here: the suites of the packages, and the tests that start programs of Windows.
// Where that is not possible it says why, and ends well: a machine without Wine can have everything else.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { prepareWindows } from '../test/windows/prepare-windows.ts'
import { endProcesses } from '../test/windows/wine/end-processes.ts'
import { machineFolder } from '../test/windows/wine/machine-folder.ts'
import { areToBeHad, canInstall, ensureSystemPackages, neededByWindows } from './system-packages.mjs'
import { partsOf, writeTable } from './windows-table.mjs'

/** @type {import('./windows-table.mjs').Part[]} */
const parts = []
/** @type {import('node:child_process').ChildProcess | undefined} */
let running
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    isInterrupted = true
    running?.kill(signal)
  })

const reason = whyNot()
if (reason) console.log(`windows: skipped (${reason})`)
else process.exitCode = (await testOnWindows()) ? 0 : 1

/** Installs what is missing from the system's packages. Tells why there can be no tests; nothing when there can. */
function whyNot() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'Wine runs it on Linux on x64 alone'
  const startedAt = performance.now()
  const missing = ensureSystemPackages(neededByWindows)
  const names = missing.join(', ')
  if (missing.length > 0 && !canInstall()) return `not installed: ${names}`
  if (missing.length > 0 && !areToBeHad(missing)) return `cannot be fetched: ${names}`
  const outcome = missing.length > 0 ? 'failed' : 'passed'
  parts.push({ name: 'system packages', outcome, counts: names, ms: performance.now() - startedAt })
  return undefined
}

/** Whether all of it passed. */
async function testOnWindows() {
  const reports = await mkdtemp(join(tmpdir(), 'windows-reports-'))
  try {
    if (hasPassed()) await prepare()
    if (hasPassed()) {
      // The second also when the first has failures.
      await run('suites of the packages', join(reports, 'suites.json'), packageOf, [
        '--disable-warning=ExperimentalWarning',
        'test/windows/suites/run-suites.ts',
      ])
      await run('programs of Windows', join(reports, 'tests.json'), basename, [
        'node_modules/vitest/vitest.mjs',
        ...['run', '--config', 'vitest.windows.ts'],
      ])
    }
  } finally {
    await endProcesses(join(machineFolder(), 'prefix'))
    await rm(reports, { recursive: true, force: true })
  }
  console.log(`\nwindows:\n${writeTable(parts)}`)
  return hasPassed()
}

function hasPassed() {
  return !isInterrupted && parts.every(({ outcome }) => outcome !== 'failed')
}

async function prepare() {
  const startedAt = performance.now()
  try {
    const prepared = await prepareWindows()
    for (const { name, ms } of prepared) parts.push({ name, outcome: 'passed', counts: '', ms })
  } catch (error) {
    console.error(error)
    parts.push({ name: 'preparation', outcome: 'failed', counts: '', ms: performance.now() - startedAt })
  }
}

/** Runs tests, and adds what their report tells. What ends badly has failed, whatever it reports. */
async function run(name, report, partNameOf, argv) {
  if (isInterrupted) return
  console.log(`\n━━ windows: ${name}`)
  const startedAt = performance.now()
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const exitCode = await new Promise(resolve => {
    running = spawn(process.execPath, [...argv, ...reporters], { stdio: 'inherit' })
    running.on('error', () => resolve(1)).on('exit', resolve)
  })
  const ms = performance.now() - startedAt
  parts.push({ name, outcome: exitCode === 0 ? 'passed' : 'failed', counts: '', ms })
  const text = await readFile(report, 'utf8').catch(() => '{"testResults":[]}')
  parts.push(...partsOf(JSON.parse(text), partNameOf))
}

/** The package that a test file belongs to. */
function packageOf(file) {
  return /[\\/]packages[\\/]([^\\/]+)/.exec(file)?.[1] ?? file
}
