import { posix, win32 } from 'node:path'

/** The paths of one platform by which launches name files. */
interface LaunchPathPlatform {
  /** The absolute path of a name relative to a directory. A name that cannot be made absolute stays. */
  resolve(workingDirectory: string, name: string): string
  /** Whether a path can lead to a file, judged by its text. */
  isFilePath(path: string): boolean
}

/** A POSIX name does not show the kind of file: the reader asks the file system. */
export const posixPaths: LaunchPathPlatform = {
  resolve: posix.resolve,
  isFilePath: posix.isAbsolute,
}

/** `C:\` or `\\server\share\`. */
const root = /^(?:[a-z]:\\|\\\\[^\\.?][^\\]*\\([^\\]+)\\)/i

/** Shares with pipes instead of files. */
const pipeShare = /^(?:pipe|ipc\$|mailslot)$/i

/** Windows finds these devices in every folder, with any extension. */
const device = /^(?:con|conin\$|conout\$|prn|aux|nul|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i

/** No file name has these characters. A colon leads to a stream of the file. */
const notInNames = /[:?*"<>|]/

/** A path relative to the current directory of its drive, which each process has for itself. */
const driveRelative = /^([a-z]:)(?![\\/])/i

/**
 * On Windows, asking for the kind of a file opens it. Opening a pipe lets its server act as this user. So pipes, devices and
 * streams are refused by the text of their path.
 */
export const windowsPaths: LaunchPathPlatform = {
  resolve(workingDirectory, name) {
    const [from, path] = [withoutPrefix(workingDirectory), withoutPrefix(name)]
    const drive = driveRelative.exec(path)?.[1]
    const isElsewhere = drive !== undefined && !from.toLowerCase().startsWith(`${drive.toLowerCase()}\\`)
    return isElsewhere ? path : win32.resolve(from, path)
  },

  isFilePath(path) {
    const found = root.exec(path)
    if (!found || pipeShare.test(found[1] ?? '')) return false
    const names = path.slice(found[0].length).split('\\')
    return names.every(name => !notInNames.test(name) && !device.test(name))
  },
}

/** Removes the prefix of long paths. Node adds it where needed. */
function withoutPrefix(path: string): string {
  return path.replace(/^\\\\\?\\UNC\\/i, '\\\\').replace(/^\\\\\?\\(?=[a-z]:\\)/i, '')
}

/** The paths of this platform. */
function launchPaths(): LaunchPathPlatform {
  return process.platform === 'win32' ? windowsPaths : posixPaths
}

/** The path of a file that a launch names, relative to the launching process's directory. */
export function resolveLaunchPath(workingDirectory: string, name: string): string {
  return launchPaths().resolve(workingDirectory, name)
}

/** Whether a path can lead to a file. Do not ask the file system about other paths: on Windows that opens them. */
export function isFilePath(path: string): boolean {
  return launchPaths().isFilePath(path)
}
