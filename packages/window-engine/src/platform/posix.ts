import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { folderVariable } from '@service-link/protocol-core/brand'
import type { Environment } from './window-platform.ts'

/** Kills a process group by the id of its leader. Does nothing when it is gone. */
function killProcessGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}

/** What Linux and macOS share. */
export const posix = {
  browserFolder: () => undefined,
  browserEnvironment: withTemporaryFolder,
  versionSource: 'executable',
  killTree: killProcessGroup,
  endGroup: killProcessGroup,
  isPrivileged: () => process.getuid?.() === 0,
} as const

/** Longest path of a Unix socket on macOS, in bytes, without `/org.chromium.Chromium.abcdef/SingletonSocket`. */
const maxFolderBytes = 103 - 46

const leastFreeBytes = 1024 * 1024

/**
 * Names a usable folder of temporary files for a browser: it does not start without a socket there. Keeps the user's, if it is one.
 *
 * @returns the variables as given when no folder is usable: the browser says why
 */
export function withTemporaryFolder(environment: Environment): Environment {
  const folders = [
    folderVariable(environment, 'TMPDIR', 'linux'),
    '/tmp',
    '/var/tmp',
    folderVariable(environment, 'XDG_RUNTIME_DIR', 'linux'),
  ]
  const usable = folders.find(folder => folder !== undefined && isUsable(folder))
  const isAsGiven = usable === undefined || usable === (environment.TMPDIR || '/tmp')
  return isAsGiven ? environment : { ...environment, TMPDIR: usable }
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(folder)
    const isRoomy = bavail * bsize >= leastFreeBytes
    return isRoomy && Buffer.byteLength(folder) <= maxFolderBytes && statSync(folder).isDirectory()
  } catch {
    return false
  }
}
