import type { InstallPlatform } from './install-platform.ts'
import { posixInstall } from './posix.ts'
import { windowsInstall } from './windows.ts'

/** That of this process. */
export const installPlatform: InstallPlatform = process.platform === 'win32' ? windowsInstall : posixInstall
