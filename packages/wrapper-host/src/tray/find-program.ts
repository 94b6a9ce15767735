import { access, constants, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'
import type { TrayPlatform } from './platform/tray-platform.ts'
import { privateFolder } from './private-folder.ts'
import { runnableCopy } from './runnable-copy.ts'
import { TrayError } from './tray-error.ts'

/** Name of the package that brings the program; its JavaScript is not used. */
const packageName = 'systray2'

/** Folder of the program in the application root of a packed wrapper, which has no packages. */
export const packedTrayFolder = 'tray'

/** The program as its package has it. */
export interface TrayProgram {
  /** Absolute path. */
  readonly file: string
  /** That of its package; `packed` in a packed wrapper. */
  readonly version: string
}

/**
 * Finds the program beside this package, or beside the executable of a packed wrapper, never in the folder in which the wrapper was
 * started: whoever may write there would have code run otherwise, as with the package's own JavaScript.
 *
 * @throws {TrayError} `no-package`, `no-program`
 */
export async function findProgram(
  platform: TrayPlatform,
  architecture: string = process.arch,
  locate: () => string = () => import.meta.resolve(`${packageName}/package.json`),
): Promise<TrayProgram> {
  const name = platform.programName(architecture)
  if (!name)
    throw new TrayError(
      'no-program',
      `The package ${packageName} has no program for this processor (${architecture}).`,
    )
  if (isSea()) return findPackedProgram(name)
  const { folder, version } = await readPackage(locate)
  const file = join(folder, 'traybin', name)
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile())
    throw new TrayError('no-program', `The package ${packageName} has no ${name}. Install it anew.`)
  return { file, version }
}

async function findPackedProgram(name: string): Promise<TrayProgram> {
  const file = join(dirname(process.execPath), packedTrayFolder, name)
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile()) return { file, version: 'packed' }
  throw new TrayError(
    'no-program',
    `This wrapper was packed without the program that shows the icon: there is no ${packedTrayFolder}/${name} beside its executable.`,
  )
}

async function readPackage(locate: () => string) {
  try {
    const manifest = fileURLToPath(locate())
    const { version } = JSON.parse(await readFile(manifest, 'utf8'))
    if (typeof version === 'string' && /^[\w.-]+$/.test(version))
      return { folder: dirname(manifest), version }
  } catch {
    // As when its version is none.
  }
  throw new TrayError(
    'no-package',
    `The package ${packageName} is not installed. It is an optional dependency: install it anew.`,
  )
}

/**
 * A file with the program's content that this user may run: the program itself, else a copy. What is installed from the
 * registry lacks the permission, and often belongs to another user.
 *
 * @param folder for the copy; this user's alone, made when it is needed
 * @throws {TrayError} `no-folder`, `no-program`
 */
export async function runnableProgram(
  platform: TrayPlatform,
  { file, version }: TrayProgram,
  folder: string,
): Promise<string> {
  if (!platform.needsPermission || (await isExecutable(file))) return file
  return runnableCopy(file, await privateFolder(join(folder, version)))
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
