import type { PipePlatform } from './pipe-platform.ts'
import { posix } from './posix.ts'
import { windows } from './windows.ts'

/** The platform that this process runs on. */
export const currentPlatform: PipePlatform = process.platform === 'win32' ? windows : posix
