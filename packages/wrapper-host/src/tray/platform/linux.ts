import { readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { TrayError } from '../tray-error.ts'
import type { Environment, TrayPlatform } from './tray-platform.ts'

/** Name of the library as the program asks for it. */
const wantedLibrary = 'libappindicator3.so.1'

/** Name under which distributions ship the library today; its interface is the same. */
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

/** Linux, with the libraries where its distributions have them. */
export const linux = linuxPlatform(systemFolders)

/**
 * Linux: an indicator of the desktop, announced over the message bus of the login session. The program says that it is ready
 * also where there is no bus, and has one started that outlives it; so the bus is looked for first.
 *
 * @param libraryFolders folders in which the system's libraries are looked for, after those of `LD_LIBRARY_PATH`
 */
export function linuxPlatform(libraryFolders: readonly string[]): TrayPlatform {
  const findLibrary = async (environment: Environment, name: string): Promise<string | undefined> => {
    const own = (environment.LD_LIBRARY_PATH ?? '').split(delimiter).filter(isAbsolute)
    for (const folder of [...own, ...libraryFolders])
      if (await exists(join(folder, name), 'file')) return join(folder, name)
    return undefined
  }

  return {
    programName: architecture => (architecture === 'x64' ? 'tray_linux_release' : undefined),
    iconFormat: 'png',
    needsPermission: true,

    async problem(environment) {
      if (!environment.DISPLAY && !environment.WAYLAND_DISPLAY)
        return new TrayError('no-display', 'There is no display: neither DISPLAY nor WAYLAND_DISPLAY is set.')
      if (!(await hasSessionBus(environment)))
        return new TrayError(
          'no-bus',
          'There is no message bus of the login session. Start the wrapper in a desktop session.',
        )
      if ((await findLibrary(environment, wantedLibrary)) ?? (await findLibrary(environment, shippedLibrary)))
        return undefined
      return new TrayError(
        'no-library',
        `The library ${shippedLibrary} is missing. Install it: the package is libayatana-appindicator3-1 on Debian and Ubuntu, libayatana-appindicator-gtk3 on Fedora.`,
      )
    },

    async programEnvironment(environment, privateFolder) {
      if (await findLibrary(environment, wantedLibrary)) return environment
      const shipped = await findLibrary(environment, shippedLibrary)
      if (!shipped) return environment
      const folder = await privateFolder()
      await pointTo(join(folder, wantedLibrary), shipped)
      return {
        ...environment,
        LD_LIBRARY_PATH: [folder, environment.LD_LIBRARY_PATH].filter(Boolean).join(delimiter),
      }
    },
  }
}

async function hasSessionBus(environment: Environment): Promise<boolean> {
  const address = environment.DBUS_SESSION_BUS_ADDRESS
  const path = address
    ? /^unix:path=([^,;]+)/.exec(address)?.[1]
    : environment.XDG_RUNTIME_DIR && join(environment.XDG_RUNTIME_DIR, 'bus')
  // An address that is no plain path in the file system cannot be looked at; the program finds out.
  return path && !path.includes('%') ? await exists(path, 'socket') : Boolean(address)
}

async function exists(path: string, kind: 'file' | 'socket'): Promise<boolean> {
  try {
    const found = await stat(path)
    return kind === 'file' ? found.isFile() : found.isSocket()
  } catch {
    return false
  }
}

/** Makes a link in one step, or leaves the one that is right. */
async function pointTo(link: string, target: string): Promise<void> {
  if ((await readlink(link).catch(() => undefined)) === target) return
  const temporary = `${link}.${process.pid}.tmp`
  await rm(temporary, { force: true })
  await symlink(target, temporary)
  await rename(temporary, link)
}
