// Every test. Installs what it needs from the system where it can; the tests themselves say what they skip and why.
import { spawn } from 'node:child_process'
import { ensureSystemPackages } from './system-packages.mjs'

ensureSystemPackages()
const vitest = spawn('vitest', ['run', '--config', 'vitest.workspace.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
vitest.on('exit', code => {
  process.exitCode = code ?? 1
})
