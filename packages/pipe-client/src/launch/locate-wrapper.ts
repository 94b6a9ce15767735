import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import {
  type Brand,
  defaultBrand,
  installFileName,
  wrapperUserFolder,
} from '@service-link/protocol-core/brand'
import { assertOptions } from '../errors/assert-options.ts'
import { PipeDeniedError, PipeNotInstalledError } from '../errors/pipe-error.ts'
import { currentPlatform } from '../platform/current-platform.ts'
import type { InstalledWrapper } from '../platform/pipe-platform.ts'
import { readInstallFile } from './read-install-file.ts'

/** Options of {@link locateWrapper}. */
export interface LocateWrapperOptions {
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand
  /** Variables that name the per-user folder, such as `SERVICE_WRAPPER_DATA`. Default: `process.env`. */
  readonly environment?: NodeJS.ProcessEnv
}

/**
 * Finds the installed wrapper of this user (specification 4.2). At each start the wrapper notes its place in the file
 * `install.json` of its per-user folder, and on Windows also in the registry. On Linux and macOS checks that only this user
 * and the administrators can have written the file and the program; on Windows it does not.
 *
 * @throws {ParameterError} if an option is of another kind
 * @throws {PipeNotInstalledError} if this user never started the wrapper, or it is no longer there
 * @throws {PipeDeniedError} if another user can have written the file or the program
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
  const registered = await currentPlatform.readRegistered(brand, environment)
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
  for (const program of programsOf(installed)) await currentPlatform.assertTrusted(program)
  return installed
}

/** The executable, and the script that it runs, if there is one. */
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
