import { win32 } from 'node:path'
import type { LaunchPathPlatform } from './launch-path-platform.ts'

/** `C:\` or `\\server\share\`. */
const root = /^(?:[a-z]:\\|\\\\[^\\.?][^\\]*\\([^\\]+)\\)/i

/** Names of shares behind which a server has its pipes, and no files. */
const pipeShare = /^(?:pipe|ipc\$|mailslot)$/i

/** Windows finds these in every folder, whatever extension they have. */
const device = /^(?:con|conin\$|conout\$|prn|aux|nul|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i

/** What no name of a file has. A colon leads to one of its streams. */
const notInNames = /[:?*"<>|]/

/** A path relative to the current directory that its drive has, which is another one in each process. */
const driveRelative = /^([a-z]:)(?![\\/])/i

/**
 * Here already the question what lies at a path opens it, and so connects to a pipe, whose server may then act as this user. So what is
 * none of files is refused by its text: pipes and other devices, and the streams of a file.
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

/** Of a path to a file the prefix for long paths says nothing more: Node puts it before where it is needed. */
function withoutPrefix(path: string): string {
  return path.replace(/^\\\\\?\\UNC\\/i, '\\\\').replace(/^\\\\\?\\(?=[a-z]:\\)/i, '')
}
