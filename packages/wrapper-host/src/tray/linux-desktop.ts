import type { Stats } from 'node:fs'
import { readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { folderVariable } from '@service-link/protocol-core/brand'
import { ensurePrivateFolder } from '../files/access.ts'
import { TrayError } from './tray.ts'

/** Environment variables, like `process.env`. */
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

/**
 * Finds out why a desktop cannot show an icon. Changes nothing.
 *
 * @returns nothing when it can, and on Windows and macOS
 */
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
  for (const folder of folders) if ((await find(join(folder, name)))?.isFile()) return join(folder, name)
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
