// Runs every test except deep and long runs, and those of packed packages. With `deep`, `soak` or `packed` as the first argument it
// runs only these. Installs missing system packages if it can. Tests that cannot run are skipped with a reason.
import { keepTemporaryFilesInMemory } from './memory-folder.mjs'
import { runChild } from './run-child.mjs'
import { ensureSystemPackages, noInstall } from './system-packages.mjs'

ensureSystemPackages()
keepTemporaryFilesInMemory()
const args = process.argv.slice(2).filter(argument => argument !== noInstall)
const projects = { deep: ['*deep', '*final'], soak: ['soak'], packed: ['packed'] }
const extra = args[0] in projects ? args.shift() : undefined
if (extra) args.unshift(...projects[extra].flatMap(name => ['--project', name]))
runChild('vitest', ['run', '--config', 'vitest.workspace.ts', ...args], {
  env: { ...process.env, ...(extra ? { SERVICE_TESTS: extra } : {}) },
  shell: process.platform === 'win32',
})
