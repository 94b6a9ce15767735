// Tests on Windows under Wine: the suites of the packages, and the tests that start programs of Windows.
// On a machine without Wine it says why it skips them, and ends with 0.
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { prepareWindows } from '../test/windows/prepare-windows.ts'
import { endProcesses } from '../test/windows/wine/end-processes.ts'
import { machineFolder, programsFolder } from '../test/windows/wine/machine-folder.ts'
import { keepTemporaryFilesInMemory } from './memory-folder.mjs'
import { areToBeHad, ensureSystemPackages, neededByWindows } from './system-packages.mjs'

/** @type {Part[]} */
const parts = []
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
let isInterrupted = false
// Before the signal handlers, so that Ctrl+C ends the process at the question.
const reason = whyNot()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    isInterrupted = true
    for (const child of running) child.kill(signal)
  })

if (reason) console.log(`windows: skipped (${reason})`)
else process.exitCode = (await testOnWindows()) ? 0 : 1

/** Installs missing system packages. Returns why the tests cannot run, if so. */
function whyNot() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'Wine runs it on Linux on x64 alone'
  const startedAt = performance.now()
  const { missing, isTried } = ensureSystemPackages(neededByWindows)
  const names = missing.join(', ')
  if (missing.length > 0 && !isTried) return `not installed: ${names}`
  if (missing.length > 0 && !areToBeHad(missing)) return `cannot be fetched: ${names}`
  const outcome = missing.length > 0 ? 'failed' : 'passed'
  parts.push({ name: 'system packages', outcome, counts: names, ms: performance.now() - startedAt })
  return undefined
}

/** Returns whether all tests passed. */
async function testOnWindows() {
  // It stays on the disk for the next run.
  process.env.SERVICE_WINDOWS_FOLDER = machineFolder()
  keepTemporaryFilesInMemory()
  const reports = await mkdtemp(join(tmpdir(), 'windows-reports-'))
  try {
    if (hasPassed()) await prepare()
    if (hasPassed()) {
      // Concurrently, each on a separate Windows: either leaves a processor idle much of the time.
      const programs = run(
        { name: 'programs of Windows', reports, folder: programsFolder(), partNameOf: basename },
        ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.windows.ts'],
      )
      const suites = run(
        { name: 'suites of the packages', reports, folder: machineFolder(), partNameOf: packageOf },
        ['--disable-warning=ExperimentalWarning', 'test/windows/suites/run-suites.ts'],
      )
      await Promise.all([programs, suites])
    }
  } finally {
    await endProcesses(join(machineFolder(), 'prefix'))
    await endProcesses(join(programsFolder(), 'prefix'))
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

/**
 * Runs tests, prints their output at their end, and adds the parts of their report. An exit code other than 0 is a failure, whatever
 * the report says.
 */
async function run({ name, reports, folder, partNameOf }, argv) {
  if (isInterrupted) return
  console.log(`\n━━ windows: ${name}: begins`)
  const startedAt = performance.now()
  const report = join(reports, `${name}.json`)
  const printed = join(reports, `${name}.txt`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const output = openSync(printed, 'a')
  const exitCode = await new Promise(resolve => {
    const child = spawn(process.execPath, [...argv, ...reporters], {
      stdio: ['ignore', output, output],
      env: { ...process.env, SERVICE_WINDOWS_FOLDER: folder },
    })
    running.add(child)
    child.on('error', () => resolve(1)).on('exit', resolve)
    child.on('close', () => running.delete(child))
  })
  closeSync(output)
  const ms = performance.now() - startedAt
  console.log(`\n━━ windows: ${name}\n${await readFile(printed, 'utf8')}`)
  const text = await readFile(report, 'utf8').catch(() => '{"testResults":[]}')
  const outcome = exitCode === 0 ? 'passed' : 'failed'
  parts.push({ name, outcome, counts: '', ms }, ...partsOf(JSON.parse(text), partNameOf))
}

/** The package that a test file belongs to. */
function packageOf(file) {
  return /[\\/]packages[\\/]([^\\/]+)/.exec(file)?.[1] ?? file
}

/**
 * @typedef {object} Part One line of the table of `npm run windows`.
 * @property {string} name
 * @property {'passed' | 'failed' | 'skipped'} outcome
 * @property {string} counts what it consisted of, or empty
 * @property {number} ms
 */

/**
 * Sums up a test report: one part for each name.
 *
 * @param {{ testResults: readonly any[] }} report
 * @param {(file: string) => string} nameOf
 * @returns {Part[]}
 */
function partsOf({ testResults }, nameOf) {
  const named = Object.groupBy(testResults, ({ name }) => nameOf(name))
  return Object.entries(named).map(([name, files = []]) => partOf(`  ${name}`, files))
}

function partOf(name, files) {
  const statuses = files.flatMap(file => file.assertionResults.map(({ status }) => status))
  const failed = statuses.filter(status => status === 'failed').length
  const passed = statuses.filter(status => status === 'passed').length
  const counts = [
    [failed, 'failed'],
    [passed, 'passed'],
    [statuses.length - failed - passed, 'skipped'],
  ]
  // A file that cannot be loaded has no tests.
  const hasFailed = failed > 0 || files.some(({ status }) => status === 'failed')
  return {
    name,
    outcome: hasFailed ? 'failed' : passed > 0 ? 'passed' : 'skipped',
    counts: counts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', '),
    ms: files.reduce((sum, { startTime, endTime }) => sum + Math.max(0, endTime - startTime), 0),
  }
}

/**
 * The table: part, result and duration.
 *
 * @param {readonly Part[]} parts
 * @returns {string}
 */
function writeTable(parts) {
  const width = Math.max(...parts.map(({ name }) => name.length))
  const lines = parts.map(({ name, outcome, counts, ms }) => {
    const seconds = `${(ms / 1000).toFixed(1)} s`.padStart(8)
    return `  ${name.padEnd(width)}  ${outcome.padEnd(7)} ${seconds}  ${counts}`.trimEnd()
  })
  return lines.join('\n')
}
