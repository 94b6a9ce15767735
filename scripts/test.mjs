// Every test but storms and long runs; with `soak` as the first argument these alone. Installs what the tests need from
// the system where it can and may. A test that cannot run says why it is skipped.
import { runChild } from './run-child.mjs'
import { ensureSystemPackages, noInstall } from './system-packages.mjs'

ensureSystemPackages()
const args = process.argv.slice(2).filter(argument => argument !== noInstall)
const isSoak = args[0] === 'soak'
if (isSoak) args.splice(0, 1, '--project', 'soak')
runChild('vitest', ['run', '--config', 'vitest.workspace.ts', ...args], {
  env: isSoak ? { ...process.env, SERVICE_SOAK: '1' } : process.env,
  shell: process.platform === 'win32',
})
