import type { BigIntStats, Stats } from 'node:fs'
import { constants, lstat, open, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, posix, win32 } from 'node:path'
import { isServiceLinkError, ServiceLinkError } from '@service-link/protocol-core'
import { accessProblem } from '../files/access.ts'
import { whileInUse } from '../files/replace-file.ts'
import { failureReason } from '../log/failure-reason.ts'

/** The XML file of a launch cannot be read: it is missing, not a file, too large, or not permitted. */
export class XmlFileError extends ServiceLinkError<'ERR_XML_FILE'> {
  readonly code = 'ERR_XML_FILE'
  /** Absolute path of the file. */
  readonly file: string

  constructor(file: string, problem: string) {
    super(`The XML file ${file} ${problem}.`)
    this.file = file
  }
}

/**
 * Reads the whole of an XML file.
 *
 * @param file absolute path
 * @param maxBytes a larger file is refused unread
 * @param signal ends the read with its reason
 * @throws {XmlFileError}
 */
export function readXmlFile(file: string, maxBytes: number, signal?: AbortSignal): Promise<ReadLaunchFile> {
  return readLaunchFile(file, {
    maxBytes,
    fail: problem => new XmlFileError(file, problem),
    ...(signal ? { signal } : {}),
  })
}

/** The file of `payload=@<file>` cannot be used: it is missing, not a file, too large, not permitted, or open to other users. */
export class PayloadFileError extends ServiceLinkError<'ERR_PAYLOAD_FILE'> {
  readonly code = 'ERR_PAYLOAD_FILE'

  /** @param problem a clause with neither path nor content */
  constructor(problem: string) {
    super(`The file that payload names ${problem}.`)
  }
}

/** The signed payload of a file. */
interface ReadPayloadFile {
  /** Without surrounding white space, not checked. */
  readonly payload: string
  /** Deletes the file if it is still the one that was read; returns whether it did. */
  deleteIfSame(): Promise<boolean>
}

/** Largest signed payload, in bytes: the receiver's form of 64 KiB without `payload=`. */
export const maxPayloadBytes = 64 * 1024 - 'payload='.length

/** Room for a line break at the end of the file. */
const whiteSpaceBytes = 16

/**
 * Reads a file that holds a signed payload only. The payload is a credential: links are refused, and on POSIX also files of
 * other users and files that others may read or change.
 *
 * @param file absolute path
 * @param signal ends the read with its reason
 * @throws {PayloadFileError}
 */
export async function readPayloadFile(file: string, signal?: AbortSignal): Promise<ReadPayloadFile> {
  const read = await readLaunchFile(file, {
    maxBytes: maxPayloadBytes + whiteSpaceBytes,
    isPrivate: true,
    fail: problem => new PayloadFileError(problem),
    ...(signal ? { signal } : {}),
  })
  // The check of the payload refuses other characters than ASCII.
  return { payload: Buffer.from(read.bytes).toString('latin1').trim(), deleteIfSame: read.deleteIfSame }
}

/** How {@link readLaunchFile} reads. */
interface ReadLaunchFileOptions {
  /** A larger file is refused. */
  readonly maxBytes: number
  /** Refuses links, files of other users, and files that others may read or change. Default false. */
  readonly isPrivate?: boolean
  /** Ends the read with its reason. */
  readonly signal?: AbortSignal
  /** Makes the error for a problem: a clause such as `is not a file`. */
  fail(problem: string): ServiceLinkError
}

/** The content of a file, and the way to delete that file. */
interface ReadLaunchFile {
  readonly bytes: Uint8Array
  /**
   * Deletes the file that was read. A newer file of the same name stays, and so does a link with its target. Folders above may be
   * links. On POSIX a file stays if another user could exchange it.
   *
   * @returns whether it was deleted
   * @throws the error of `fail` when it cannot be deleted, is a link, or could be exchanged by another user
   */
  deleteIfSame(): Promise<boolean>
}

/**
 * Reads the whole of a file that a launch names.
 *
 * @param file path as `resolveLaunchPath` gives it
 * @throws the error of `fail`, or the signal's reason
 */
export async function readLaunchFile(file: string, options: ReadLaunchFileOptions): Promise<ReadLaunchFile> {
  const { maxBytes, isPrivate = false, signal, fail } = options
  const look = () => (isPrivate ? lstat(file, { bigint: true }) : stat(file, { bigint: true }))
  const check = (found: BigIntStats) => {
    const problem = problemOf(found, maxBytes, isPrivate)
    if (problem) throw fail(problem)
    return found
  }
  if (!isFilePath(file)) throw fail('is not a file')
  try {
    // Opening a device may already have an effect.
    check(await look())
    await using handle = await whileInUse(() => open(file, openFlags(isPrivate)), { signal })
    const read = check(await handle.stat({ bigint: true }))
    const bytes = await handle.readFile({ signal })
    if (bytes.length > maxBytes) throw fail(`is larger than ${maxBytes} bytes`)
    return { bytes, deleteIfSame: () => deleteIfSame(read) }
  } catch (error) {
    if (isServiceLinkError(error)) throw error
    signal?.throwIfAborted()
    throw fail(problemOfFailure(error))
  }

  async function deleteIfSame(read: BigIntStats): Promise<boolean> {
    try {
      const isWindows = process.platform === 'win32'
      const path = isWindows ? file : join(await realpath(dirname(file)), basename(file))
      const problem = isWindows ? undefined : await exchangeProblem(path)
      const found = await lstat(path, { bigint: true })
      if (isSameFile(found, read)) {
        if (problem)
          throw fail(
            `was not deleted, as another user could exchange it: it, or a folder above it, ${problem}`,
          )
        await whileInUse(() => rm(path))
        return true
      }
      if (found.isSymbolicLink() && isSameFile(await look(), read))
        throw fail('is a link, so the file that it leads to was not deleted')
      return false
    } catch (error) {
      if (isServiceLinkError(error)) throw error
      if (failureReason(error) === 'ENOENT') return false
      throw fail('could not be deleted')
    }
  }
}

/** Another file may have taken the name since the check: do not wait for a pipe, do not follow a link. */
function openFlags(isPrivate: boolean): number {
  // Windows has neither flag.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  return O_RDONLY | O_NONBLOCK | (isPrivate ? O_NOFOLLOW : 0)
}

function problemOf(found: BigIntStats, maxBytes: number, isPrivate: boolean): string | undefined {
  if (!found.isFile()) return 'is not a file'
  if (found.size > maxBytes) return `is larger than ${maxBytes} bytes`
  return isPrivate ? accessProblem(found, true) : undefined
}

/**
 * Finds out whether another user could exchange a file, by the right to change a folder above it. In a sticky folder only owners
 * have that right. Below a folder that nobody else may enter, rights do not matter.
 *
 * @param path real path
 */
async function exchangeProblem(path: string): Promise<string | undefined> {
  const paths = [path]
  for (let above = dirname(path); above !== paths[0]; above = dirname(above)) paths.unshift(above)
  let folder: Stats | undefined
  for (const entryPath of paths) {
    const entry = await lstat(entryPath)
    const problem = folder && entryProblem(folder, entry)
    if (problem) return problem
    if (folder && (folder.mode & 0o011) === 0) return undefined
    folder = entry
  }
  return undefined
}

function entryProblem(folder: Stats, entry: Stats): string | undefined {
  if ((folder.mode & 0o1000) === 0) return accessProblem(folder, false)
  const ownerProblem = ({ uid }: Stats) => accessProblem({ uid, mode: 0 }, false)
  return ownerProblem(folder) ?? ownerProblem(entry)
}

function isSameFile(now: BigIntStats, read: BigIntStats): boolean {
  return (
    now.dev === read.dev && now.ino === read.ino && now.size === read.size && now.mtimeNs === read.mtimeNs
  )
}

function problemOfFailure(error: unknown): string {
  switch (failureReason(error)) {
    case 'ENOENT':
      return 'is not there'
    case 'ELOOP':
      return 'is not a file'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user'
    default:
      return `cannot be read (${failureReason(error)})`
  }
}

/** How a platform names files. */
interface LaunchPathPlatform {
  /** Makes a name absolute, relative to a directory. Keeps a name that has no absolute path. */
  resolve(workingDirectory: string, name: string): string
  /** Tells by the text of a path whether it can lead to a file. */
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

/** Resolves a launch's file name, relative to the launching process's directory. */
export function resolveLaunchPath(workingDirectory: string, name: string): string {
  return launchPaths().resolve(workingDirectory, name)
}

/** Tells whether a path can lead to a file. Do not ask the file system about other paths: Windows would open them. */
function isFilePath(path: string): boolean {
  return launchPaths().isFilePath(path)
}
