import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import {
  type Brand,
  defaultBrand,
  installFileName,
  wrapperUserFolder,
} from '@service-link/protocol-core/brand'
import { assertOptions } from '../connection/call-bounds.ts'
import { PipeDeniedError, PipeNotInstalledError } from '../errors/pipe-error.ts'
import type { InstalledWrapper } from './installed-wrapper.ts'
import type { LocatePlatform } from './platform/locate-platform.ts'
import { posixLocate } from './platform/posix.ts'
import { windowsLocate } from './platform/windows.ts'
import { readInstallFile } from './read-install-file.ts'

/** Options of {@link locateWrapper}. */
export interface LocateWrapperOptions {
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand
  /** Variables that say where the per-user folder is, such as `SERVICE_WRAPPER_DATA`. Default: `process.env`. */
  readonly environment?: NodeJS.ProcessEnv
}

/**
 * Says where the wrapper of this user is installed (specification 4.2): where it was when it was started last, which it notes in the
 * registry on Windows, and in the file `install.json` of its per-user folder. Reads anew each time. On Linux and macOS it makes sure
 * that nobody else, the administrators aside, can have written the file or what it would start; on Windows it does not.
 *
 * @throws {ParameterError} when an option is of another kind
 * @throws {PipeNotInstalledError} when it has never been started by this user, or is no longer where it was
 * @throws {PipeDeniedError} when another user can have written the file or the program
 * @example
 * ```ts
 * import { locateWrapper } from '@service-link/pipe-client'
 *
 * const { path, version } = await locateWrapper()
 * console.log(path, version)
 * ```
 */
export async function locateWrapper(options: LocateWrapperOptions = {}): Promise<InstalledWrapper> {
  assertOptions(options, { environment: 'object?' })
  const { brand = defaultBrand, environment = process.env } = options
  const platform: LocatePlatform = process.platform === 'win32' ? windowsLocate : posixLocate
  const registered = await platform.readRegistered(brand, environment)
  if (registered && (await isThere(registered))) return registered
  const file = resolve(wrapperUserFolder(brand, process.platform, environment, homedir), installFileName)
  const noted = await readInstallFile(file)
  const installed = noted ?? registered
  if (!installed)
    throw new PipeNotInstalledError(
      'No wrapper is installed for this user, or it has never been started. Install it, and start it once.',
    )
  if (!(await isThere(installed)))
    throw new PipeNotInstalledError(
      `The wrapper is no longer in ${installed.path}: it was removed or moved. Start it once where it is now, or install it again.`,
    )
  for (const program of programsOf(installed)) await platform.assertTrusted(program)
  return installed
}

/** The executable, and what else of the command is a path: the script that it runs, where there is one. */
function programsOf({ command: [executable = '', ...others] }: InstalledWrapper): readonly string[] {
  return [executable, ...others.filter(isAbsolute)]
}

async function isThere(installed: InstalledWrapper): Promise<boolean> {
  const there = programsOf(installed).map(async path => isAbsolute(path) && (await exists(path)))
  return (await Promise.all(there)).every(Boolean)
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    throw new PipeDeniedError(`${path} cannot be looked at (${code}), and is not started.`)
  }
}
