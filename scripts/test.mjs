// Every test. Installs what it needs from the system where it can; the tests themselves say what they skip and why.
import { runChild } from './run-child.mjs'
import { ensureSystemPackages } from './system-packages.mjs'

ensureSystemPackages()
runChild('vitest', ['run', '--config', 'vitest.workspace.ts', ...process.argv.slice(2)], {
  shell: process.platform === 'win32',
})
