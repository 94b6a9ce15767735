// The benchmarks, on the built packages: builds them first.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runChild } from './run-child.mjs'

const args = process.argv.slice(2)
const shell = process.platform === 'win32'
const build = ['run', 'build', '--filter=./packages/*', '--output-logs=errors-only']

const { status } = spawnSync('turbo', build, { stdio: ['ignore', 2, 2], shell })
if (status !== 0) process.exit(status ?? 2)
runChild(process.execPath, [fileURLToPath(new URL('../bench/src/main.ts', import.meta.url)), ...args])
