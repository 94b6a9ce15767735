import type { PipePlatform } from './pipe-platform.ts'
import { posix } from './posix.ts'
import { windows } from './windows.ts'

/** The platform of this process. */
export const currentPlatform: PipePlatform = process.platform === 'win32' ? windows : posix
