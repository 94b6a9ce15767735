import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type Installation, maxInstallationBytes, parseInstallation } from '@service-link/protocol-core'
import { type Brand, defaultBrand, installFileName } from '@service-link/protocol-core/brand'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { assertOptions } from '../errors/assert-options.ts'
import { PipeDeniedError, PipeNotInstalledError } from '../errors/pipe-error.ts'
import { currentPlatform } from '../platform/current-platform.ts'
import type { InstalledWrapper } from '../platform/pipe-platform.ts'
import { readOwnFile } from '../running/own-file.ts'
import { ownUserFolder } from '../running/wrapper-record.ts'

/** Options of {@link locateWrapper}. */
export interface LocateWrapperOptions {
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand | undefined
  /** Variables that name the per-user folder, such as `SERVICE_WRAPPER_DATA`. Default: `process.env`. */
  readonly environment?: NodeJS.ProcessEnv | undefined
}

/**
 * Finds the installed wrapper of this user (spec 4.2). At each start the wrapper notes its place in the file
 * `install.json` of its per-user folder. On Windows the registry goes first: the user's, then the machine's. On Linux and macOS checks that only this user
 * and the administrators can have written the file and the program; on Windows it does not.
 *
 * @throws {ParameterError} if an option is of another kind
 * @throws {PipeNotInstalledError} if this user never started the wrapper, or it is no longer there
 * @throws {PipeDeniedError} if another user can have written the file or the program
 * @throws {FolderVariableError} if the variable `SERVICE_WRAPPER_DATA` is a relative path
 * @example
 * ```ts
 * import { locateWrapper } from '@service-link/pipe-client'
 *
 * const { path, version } = await locateWrapper()
 * console.log(path, version)
 * ```
 */
export async function locateWrapper(options: LocateWrapperOptions = {}): Promise<InstalledWrapper> {
  assertOptions(options, { brand: 'object?', environment: 'object?' })
  const { brand = defaultBrand, environment = process.env } = options
  const registered = await currentPlatform.readRegistered(brand)
  const found = registered.find(isThere)
  if (found) return found
  const file = join(ownUserFolder(brand, environment), installFileName)
  const noted = await readInstallFile(file)
  const installed = noted ?? registered[0]
  if (!installed)
    throw new PipeNotInstalledError(
      'No wrapper is installed for this user, or it has never been started. Install it, and start it once.',
    )
  if (!isThere(installed))
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

function isThere(installed: InstalledWrapper): boolean {
  return programsOf(installed).every(path => isAbsolute(path) && existsSync(path))
}

/** Longest wait while another program replaces the file, and the pause between two attempts, in milliseconds. */
const replacedMs = 1_000
const pauseMs = 50

/** Reads the file in which a wrapper notes where it is installed. Returns nothing if there is none. */
async function readInstallFile(file: string): Promise<Installation | undefined> {
  for (const replacing = new Deadline(replacedMs); ; await pause(pauseMs)) {
    try {
      const record = parseInstallation(readOwnFile(file, maxInstallationBytes, 'change'))
      if (record) return record
      break
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
      if ((code === 'EBUSY' || code === 'EPERM') && !replacing.isOver) continue
      const problem =
        code === undefined ? message : `cannot be read (${code === 'ELOOP' ? 'it is a link' : code})`
      throw new PipeDeniedError(`${file} ${problem}, and is not used.`)
    }
  }
  throw new PipeNotInstalledError(
    `${file} does not say where the wrapper is installed. Start the wrapper once, which writes it anew.`,
  )
}
