// Every test. Installs what it needs from the system where it can and may; the tests themselves say what they skip and why.
import { runChild } from './run-child.mjs'
import { ensureSystemPackages, noInstall } from './system-packages.mjs'

ensureSystemPackages()
const args = process.argv.slice(2).filter(argument => argument !== noInstall)
runChild('vitest', ['run', '--config', 'vitest.workspace.ts', ...args], {
  shell: process.platform === 'win32',
})
