// Runs every test except storms and long runs; with `soak` as the first argument it runs only these. Installs missing system
// packages if it can. Tests that cannot run are skipped with a reason.
import { keepTemporaryFilesInMemory } from './memory-folder.mjs'
import { runChild } from './run-child.mjs'
import { ensureSystemPackages, noInstall } from './system-packages.mjs'

ensureSystemPackages()
keepTemporaryFilesInMemory()
const args = process.argv.slice(2).filter(argument => argument !== noInstall)
const isSoak = args[0] === 'soak'
if (isSoak) args.splice(0, 1, '--project', 'soak')
runChild('vitest', ['run', '--config', 'vitest.workspace.ts', ...args], {
  env: isSoak ? { ...process.env, SERVICE_SOAK: '1' } : process.env,
  shell: process.platform === 'win32',
})
