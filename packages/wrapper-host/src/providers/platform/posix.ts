import { posix } from 'node:path'
import type { LaunchPathPlatform } from './launch-path-platform.ts'

/** A name says nothing of what is behind it: whoever opens it looks first. */
export const posixPaths: LaunchPathPlatform = {
  resolve: posix.resolve,
  isFilePath: posix.isAbsolute,
}
