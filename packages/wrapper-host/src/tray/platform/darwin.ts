import type { TrayPlatform } from './tray-platform.ts'

/** macOS: the program is Intel's, which the system translates on other processors. */
export const darwin: TrayPlatform = {
  programName: architecture => (['x64', 'arm64'].includes(architecture) ? 'tray_darwin_release' : undefined),
  iconFormat: 'png',
  needsPermission: true,
  problem: async () => undefined,
  programEnvironment: async environment => environment,
}
