import { readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { TrayError } from './tray.ts'

/** Variables of the process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The differences between operating systems. */
export interface TrayPlatform {
  /**
   * File name of the program in its package.
   *
   * @param architecture Node's `process.arch`
   * @returns `undefined` when there is none for this processor
   */
  programName(architecture: string): string | undefined
  /** Format of the icon's picture. */
  readonly iconFormat: 'png' | 'ico'
  /** Whether only files with the permission can be run. */
  readonly needsPermission: boolean
  /** Why no icon can be shown here, or `undefined` when one can. Touches nothing. */
  problem(environment: Environment): Promise<TrayError | undefined>
  /**
   * Variables that the program gets.
   *
   * @param privateFolder makes a folder of this user alone
   */
  programEnvironment(environment: Environment, privateFolder: () => Promise<string>): Promise<Environment>
}

/** Windows. The program is for x64; Windows on ARM emulates it. */
export const win32: TrayPlatform = {
  programName: architecture =>
    ['x64', 'arm64'].includes(architecture) ? 'tray_windows_release.exe' : undefined,
  iconFormat: 'ico',
  needsPermission: false,
  problem: async () => undefined,
  programEnvironment: async environment => environment,
}

/** macOS. The program is for Intel; other processors emulate it. */
export const darwin: TrayPlatform = {
  programName: architecture => (['x64', 'arm64'].includes(architecture) ? 'tray_darwin_release' : undefined),
  iconFormat: 'png',
  needsPermission: true,
  problem: async () => undefined,
  programEnvironment: async environment => environment,
}

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

/** Linux, with the library folders of its distributions. */
export const linux = linuxPlatform(systemFolders)

/**
 * Linux: an indicator of the desktop, announced over the message bus of the login session. Without a bus the program also says
 * that it is ready, and starts a bus that outlives it. So the bus is checked first.
 *
 * @param libraryFolders searched after those of `LD_LIBRARY_PATH`
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
  // Other kinds of addresses cannot be checked here.
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

/** Makes the link in one step, unless it is right already. */
async function pointTo(link: string, target: string): Promise<void> {
  if ((await readlink(link).catch(() => undefined)) === target) return
  const temporary = `${link}.${process.pid}.tmp`
  await rm(temporary, { force: true })
  await symlink(target, temporary)
  await rename(temporary, link)
}

/** The platform's implementation; other systems count as Linux. */
export function trayPlatform(platform: NodeJS.Platform = process.platform): TrayPlatform {
  if (platform === 'win32') return win32
  return platform === 'darwin' ? darwin : linux
}
