import type { TrayPlatform } from './tray-platform.ts'

/** Windows: the program is x64's, which the system translates on ARM. */
export const win32: TrayPlatform = {
  programName: architecture =>
    ['x64', 'arm64'].includes(architecture) ? 'tray_windows_release.exe' : undefined,
  iconFormat: 'ico',
  needsPermission: false,
  problem: async () => undefined,
  programEnvironment: async environment => environment,
}
