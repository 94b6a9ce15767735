import type { InstallPlatform } from './install-platform.ts'

/** Linux and macOS: the file is all there is. */
export const posixInstall: InstallPlatform = {
  note: async () => undefined,
  forget: async () => undefined,
}
