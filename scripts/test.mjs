// Runs every test except storms and long runs, and those of packed packages. With `soak` or `packed` as the first argument it runs
// only these. Installs missing system packages if it can. Tests that cannot run are skipped with a reason.
import { keepTemporaryFilesInMemory } from './memory-folder.mjs'
import { runChild } from './run-child.mjs'
import { ensureSystemPackages, noInstall } from './system-packages.mjs'

ensureSystemPackages()
keepTemporaryFilesInMemory()
const args = process.argv.slice(2).filter(argument => argument !== noInstall)
const extra = ['soak', 'packed'].find(name => name === args[0])
if (extra) args.splice(0, 1, '--project', extra)
runChild('vitest', ['run', '--config', 'vitest.workspace.ts', ...args], {
  env: extra ? { ...process.env, [`SERVICE_${extra.toUpperCase()}`]: '1' } : process.env,
  shell: process.platform === 'win32',
})
