import type { LaunchPathPlatform } from './platform/launch-path-platform.ts'
import { posixPaths } from './platform/posix.ts'
import { windowsPaths } from './platform/windows.ts'

/** How files are named on this platform. */
function launchPaths(): LaunchPathPlatform {
  return process.platform === 'win32' ? windowsPaths : posixPaths
}

/** The path of a file that a launch names, relative to the launching process's directory. */
export function resolveLaunchPath(workingDirectory: string, name: string): string {
  return launchPaths().resolve(workingDirectory, name)
}

/** Whether a path can lead to a file. One that cannot is not to be looked at: on Windows already that opens it. */
export function isFilePath(path: string): boolean {
  return launchPaths().isFilePath(path)
}
