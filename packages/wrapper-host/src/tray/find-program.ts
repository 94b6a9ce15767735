import { constants, type Stats } from 'node:fs'
import { access, chmod, copyFile, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { isSea } from 'node:sea'
import { folderVariable } from '@service-link/protocol-core/brand'
import { ensurePrivateFolder } from '../files/access.ts'
import { failureReason } from '../log/failure-reason.ts'
import { TrayError } from './tray.ts'

/** The package that brings the program. Its JavaScript is not used. */
const packageName = 'systray2'

/** Folder of the program in a packed wrapper's application root. */
export const packedTrayFolder = 'tray'

/** The program of each system. macOS emulates x64 on other processors. */
const programs = {
  darwin: { name: 'tray_darwin_release', processors: ['x64', 'arm64'] },
  linux: { name: 'tray_linux_release', processors: ['x64'] },
}

interface InstalledProgram {
  /** Absolute path. */
  readonly file: string
  /** Version of its package; `packed` in a packed wrapper. */
  readonly version: string
}

/**
 * Finds the program in its package, or beside the executable of a packed wrapper. Never searches the working directory, where others
 * may be able to write.
 *
 * @throws {TrayError} `no-package`, `no-program`
 */
export async function findProgram(
  platform: NodeJS.Platform = process.platform,
  architecture: string = process.arch,
  locate: () => string = () => createRequire(import.meta.filename).resolve(`${packageName}/package.json`),
): Promise<InstalledProgram> {
  const { name, processors } = programs[platform === 'darwin' ? platform : 'linux']
  if (!processors.includes(architecture))
    throw new TrayError(
      'no-program',
      `The package ${packageName} has no program for this processor (${architecture}).`,
    )
  if (isSea()) return findPackedProgram(name)
  const { folder, version } = await readPackage(locate)
  const file = join(folder, 'traybin', name)
  if (await isFile(file)) return { file, version }
  throw new TrayError('no-program', `The package ${packageName} has no ${name}. Install it anew.`)
}

async function findPackedProgram(name: string): Promise<InstalledProgram> {
  const file = join(dirname(process.execPath), packedTrayFolder, name)
  if (await isFile(file)) return { file, version: 'packed' }
  throw new TrayError(
    'no-program',
    `This wrapper was packed without the program that shows the icon: there is no ${packedTrayFolder}/${name} beside its executable.`,
  )
}

async function isFile(file: string): Promise<boolean> {
  return (await find(file))?.isFile() ?? false
}

async function readPackage(locate: () => string) {
  try {
    const manifest = locate()
    const { version } = JSON.parse(await readFile(manifest, 'utf8'))
    if (typeof version === 'string' && /^[\w.-]+$/.test(version))
      return { folder: dirname(manifest), version }
  } catch {
    // Refused below, as a package without a version.
  }
  throw new TrayError(
    'no-package',
    `The package ${packageName} is not installed. It is an optional dependency: install it anew.`,
  )
}

/**
 * Returns the program if this user may run it, else a copy. A program from the package registry lacks the permission, and often
 * belongs to another user.
 */
export async function runnableProgram({ file, version }: InstalledProgram, folder: string): Promise<string> {
  if (await isExecutable(file)) return file
  const ownFolder = join(folder, version)
  ensurePrivateFolder(ownFolder)
  const copy = join(ownFolder, basename(file))
  if (await isExecutable(copy)) return copy
  const temporary = `${copy}.${process.pid}.tmp`
  try {
    await copyFile(file, temporary)
    await chmod(temporary, 0o700)
    await rename(temporary, copy)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new TrayError(
      'no-program',
      `The program that shows the icon cannot be copied (${failureReason(error)}).`,
    )
  }
  return copy
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Library that the program loads. */
const wantedLibrary = 'libappindicator3.so.1'

/** Successor of the library, with the same interface, as distributions ship it. */
const shippedLibrary = 'libayatana-appindicator3.so.1'

const systemFolders = [
  '/usr/lib/x86_64-linux-gnu',
  '/lib/x86_64-linux-gnu',
  '/usr/lib64',
  '/lib64',
  '/usr/lib',
  '/lib',
  '/usr/local/lib',
]

/** Finds out why a desktop cannot show an icon. Changes nothing. Returns nothing when it can, and on Windows and macOS. */
export async function findDesktopProblem(
  environment: Environment,
  folders: readonly string[] = systemFolders,
): Promise<TrayError | undefined> {
  if (!isLinux) return undefined
  if (!environment.DISPLAY && !environment.WAYLAND_DISPLAY)
    return new TrayError('no-display', 'There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set.')
  if (!(await hasSessionBus(environment)))
    return new TrayError('no-bus', 'There is no message bus of the desktop. Start the wrapper on a desktop.')
  for (const library of [wantedLibrary, shippedLibrary])
    if (await findLibrary(library, folders)) return undefined
  return new TrayError(
    'no-library',
    `The library ${shippedLibrary} is missing. Install it: the package is libayatana-appindicator3-1 on Debian and Ubuntu, libayatana-appindicator-gtk3 on Fedora.`,
  )
}

/** Makes the variables of the program. On Linux they lead it to the successor of its library. */
export async function programEnvironment(
  environment: Environment,
  folder: string,
  folders: readonly string[] = systemFolders,
): Promise<Environment> {
  if (!isLinux || (await findLibrary(wantedLibrary, folders))) return environment
  const shipped = await findLibrary(shippedLibrary, folders)
  if (!shipped) return environment
  ensurePrivateFolder(folder)
  await pointTo(join(folder, wantedLibrary), shipped)
  return {
    ...environment,
    LD_LIBRARY_PATH: [folder, environment.LD_LIBRARY_PATH].filter(Boolean).join(delimiter),
  }
}

/** All other systems have the desktops of Linux. */
const isLinux = process.platform !== 'win32' && process.platform !== 'darwin'

async function findLibrary(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) if (await isFile(join(folder, name))) return join(folder, name)
  return undefined
}

async function hasSessionBus(environment: Environment): Promise<boolean> {
  const address = environment.DBUS_SESSION_BUS_ADDRESS
  const folder = folderVariable(environment, 'XDG_RUNTIME_DIR', 'linux')
  if (address || !folder) return Boolean(address)
  return (await find(join(folder, 'bus')))?.isSocket() ?? false
}

async function find(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined)
}

/** Makes the link in one step, unless it is right already. */
async function pointTo(link: string, target: string): Promise<void> {
  if ((await readlink(link).catch(() => undefined)) === target) return
  const temporary = `${link}.${process.pid}.tmp`
  await rm(temporary, { force: true })
  await symlink(target, temporary)
  await rename(temporary, link)
}
