// Tests on Windows: the suites of the packages, and the tests that start programs of Windows. On Linux Windows is Wine. An argument
// names a step, which is a part of the tests of programs; on Windows itself only steps run, and a test of one that was skipped fails.
// Where they cannot run it says why it skips them, and ends with 0; where a package is missing, with 1 under `CI=true`.
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareWindows } from '../test/windows/prepare-windows.ts'
import { windowsSteps } from '../test/windows/steps.ts'
import { isWindowsItself, machineFolder, programsFolder } from '../test/windows/wine/windows-machine.ts'
import { endProcesses } from '../test/windows/wine/wine-environment.ts'
import { keepTemporaryFilesInMemory } from './memory-folder.mjs'
import { areToBeHad, ensureSystemPackages, neededByWindows, noInstall } from './system-packages.mjs'

const [name] = process.argv.slice(2).filter(argument => argument !== noInstall)
const step = name === undefined ? undefined : windowsSteps[name]
if (name !== undefined && !step) {
  console.error(`There is no step "${name}". Known: ${Object.keys(windowsSteps).join(', ')}.`)
  process.exit(2)
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
let isInterrupted = false
// Before the signal handlers, so that Ctrl+C ends the process at the question.
const isPossible = process.platform === 'linux' && process.arch === 'x64'
const { missing, isTried } = isPossible
  ? ensureSystemPackages(neededByWindows)
  : { missing: [], isTried: false }
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    isInterrupted = true
    for (const child of running) child.kill(signal)
  })

/** Arguments of Node for the tests of programs. */
const programTests = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.windows.ts']

const unsuited = whyUnsuited()
const reason = unsuited ?? whyMissing()
if (reason) {
  console.log(`windows: skipped (${reason})`)
  process.exitCode = process.env.CI && !unsuited ? 1 : 0
} else process.exitCode = (await testOnWindows()) ? 0 : 1

/** Returns why the tests do not suit this machine, if so. */
function whyUnsuited() {
  if (isWindowsItself) return step ? undefined : 'on Windows itself it runs one step at a time'
  if (!isPossible) return 'Wine runs it on Linux on x64 alone'
  const { stdout } = spawnSync('wine', ['--version'], { encoding: 'utf8' })
  // They supplement Wine 8 where it lacks something.
  return stdout && !stdout.startsWith('wine-8.') ? `it knows Wine 8, and this is ${stdout.trim()}` : undefined
}

/** Returns which packages are missing and cannot be had, if so. */
function whyMissing() {
  const names = missing.join(', ')
  if (names && !isTried) return `not installed: ${names}`
  return names && !areToBeHad(missing) ? `cannot be fetched: ${names}` : undefined
}

/** Returns whether all tests passed. */
async function testOnWindows() {
  if (missing.length > 0) return false
  // It stays on the disk for the next run.
  process.env.SERVICE_WINDOWS_FOLDER = machineFolder()
  keepTemporaryFilesInMemory()
  const outputs = await mkdtemp(join(tmpdir(), 'windows-outputs-'))
  try {
    if (step) return await runStep(outputs)
    for (const { name, ms } of await prepareWindows()) console.log(`windows: ${name} in ${seconds(ms)}`)
    // Concurrently, each on a separate Windows: either leaves a processor idle much of the time.
    const outcomes = await Promise.all([
      run('programs of Windows', outputs, programsFolder(), programTests),
      run('suites of the packages', outputs, machineFolder(), [
        ...['--disable-warning=ExperimentalWarning', '-C', '@service-link/source'],
        'test/windows/suites/run-suites.ts',
      ]),
    ])
    return outcomes.every(Boolean)
  } catch (error) {
    console.error(error)
    return false
  } finally {
    for (const folder of isWindowsItself ? [] : [machineFolder(), programsFolder()])
      await endProcesses(join(folder, 'prefix'))
    await rm(outputs, { recursive: true, force: true })
  }
}

/** Runs the tests of the step. Returns whether they passed; on Windows itself, whether all of them did. */
async function runStep(outputs) {
  const report = join(outputs, 'report.json')
  const files = step.files.map(file => `test/windows/${file}`)
  const names = step.tests ? ['-t', step.tests] : []
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const isPassed = await run(name, outputs, machineFolder(), [
    ...programTests,
    ...reporters,
    ...names,
    ...files,
  ])
  if (!isPassed || !isWindowsItself) return isPassed
  const { testResults } = JSON.parse(await readFile(report, 'utf8'))
  const tests = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName }) => new RegExp(step.tests ?? '').test(fullName))
  const others = tests.filter(({ status }) => status !== 'passed')
  for (const { fullName } of others)
    console.error(`windows: skipped on Windows itself, which fails: ${fullName}`)
  if (tests.length === 0) console.error(`windows: no test of ${name} has run, which fails`)
  return tests.length > 0 && others.length === 0
}

/** Runs tests, and prints their output at their end. Returns whether all passed. */
async function run(name, outputs, folder, argv) {
  if (isInterrupted) return false
  console.log(`\n━━ windows: ${name}: begins`)
  const startedAt = performance.now()
  const printed = join(outputs, `${name}.txt`)
  const output = openSync(printed, 'a')
  const exitCode = await new Promise(resolve => {
    const child = spawn(process.execPath, argv, {
      stdio: ['ignore', output, output],
      env: { ...process.env, SERVICE_WINDOWS_FOLDER: folder },
    })
    running.add(child)
    child.on('error', () => resolve(1)).on('exit', resolve)
    child.on('close', () => running.delete(child))
  })
  closeSync(output)
  const outcome = exitCode === 0 ? 'passed' : 'FAILED'
  const ms = performance.now() - startedAt
  console.log(`\n━━ windows: ${name}: ${outcome} in ${seconds(ms)}\n${await readFile(printed, 'utf8')}`)
  return exitCode === 0
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}
