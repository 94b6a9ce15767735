import { execFile } from 'node:child_process'
import { win32 } from 'node:path'
import { promisify } from 'node:util'
import type { Brand, InstallRecord } from '@service-link/protocol-core'
import { systemProgram } from '../../system-program.ts'
import { findHandedOff } from '../find-handed-off.ts'
import type { InstallPlatform } from './install-platform.ts'

/** Longest wait for one run of `reg.exe`, in milliseconds; it takes a few dozen. */
const registryTimeoutMs = 10_000

/** Windows: values of the current user's registry, in which partners look for the executable (specification 4.2). */
export const windowsInstall: InstallPlatform = {
  async note(brand, record) {
    for (const argv of registryCommands(brand, record)) if (!(await runRegistry(argv))) throw registryError()
  },

  async forget(brand) {
    const key = `HKCU\\${brand.registryKey}`
    for (const value of ['path', 'version']) {
      const at = [key, '/v', value]
      // One that is not there cannot be removed.
      if (!(await runRegistry(['delete', ...at, '/f'])) && (await runRegistry(['query', ...at])))
        throw registryError()
    }
  },

  // The list of all pipes tells not whose they are.
  findRunning: (brand, userFolder) => findHandedOff(brand, userFolder, `\\\\.\\pipe\\${brand.application}.`),
}

/** @returns whether it ended well; its own words and those of Node hold the path */
async function runRegistry(argv: readonly string[]): Promise<boolean> {
  return promisify(execFile)(systemProgram('reg.exe'), argv, {
    windowsHide: true,
    timeout: registryTimeoutMs,
  }).then(
    () => true,
    () => false,
  )
}

function registryError(): Error {
  return Object.assign(new Error('The registry was not written.'), { code: 'registry' })
}

/**
 * What `reg.exe` is told, one run a value. The version comes first: whoever reads between the two finds the old folder, which an
 * update has left in place or removed, and never a new folder with an old version.
 *
 * @returns nothing to do for a program that is not an executable of the brand's name: partners start it by that name
 */
export function registryCommands(brand: Brand, { path, version, command }: InstallRecord): string[][] {
  const [executable = '', ...others] = command
  const isInstalled =
    others.length === 0 && win32.basename(executable).toLowerCase() === brand.executable.toLowerCase()
  if (!isInstalled) return []
  const key = `HKCU\\${brand.registryKey}`
  return [
    ['add', key, '/v', 'version', '/t', 'REG_SZ', '/d', version, '/f'],
    ['add', key, '/v', 'path', '/t', 'REG_SZ', '/d', path, '/f'],
  ]
}
