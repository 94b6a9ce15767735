// Everything that must hold before a change lands: format, lint, layers, types, build, packed packages, advisories, tests.
// --without-tests leaves the tests out.
import { spawnSync } from 'node:child_process'
import { ensureSystemPackages, noInstall } from './system-packages.mjs'

ensureSystemPackages()

/** Types need no build: together they leave no processor idle. */
const atOnce = ['--continue', '--concurrency=200%', '--output-logs=errors-only']

/** Name of a check → its command. */
const steps = [
  ['Format and lint', ['biome', 'check', '.']],
  ['Layers', ['turbo', 'boundaries', '--no-color']],
  ['Types, build and packed packages', ['turbo', 'run', 'types', 'build', 'pack-check', ...atOnce]],
  ['Packed packages in an empty project', ['node', 'scripts/test.mjs', 'packed', noInstall]],
  ['Known advisories', ['node', 'scripts/advisories.mjs']],
]

const passedOn = process.argv.filter(argument => argument === noInstall)
if (!process.argv.includes('--without-tests'))
  steps.push(['Tests', ['node', 'scripts/test.mjs', ...passedOn]])

/** Exit code of a step that could check nothing. It has printed the reason. */
const notCheckedCode = 75

const failed = []
const notChecked = []
for (const [title, [command, ...args]] of steps) {
  console.log(`\n── ${title}: ${[command, ...args].join(' ')}`)
  const begun = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const outcome = status === 0 ? 'passed' : status === notCheckedCode ? 'NOT CHECKED' : 'FAILED'
  console.log(`── ${title}: ${outcome} in ${seconds} s`)
  if (outcome === 'FAILED') failed.push(title)
  if (outcome === 'NOT CHECKED') notChecked.push(title)
}
console.log(
  failed.length === 0
    ? `\nAll checks passed${notChecked.length > 0 ? ' that were made' : ''}.`
    : `\nFailed: ${failed.join(', ')}.`,
)
if (notChecked.length > 0) console.log(`Not checked, as said above: ${notChecked.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
