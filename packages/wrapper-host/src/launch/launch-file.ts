import type { BigIntStats, Stats } from 'node:fs'
import { lstat, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, posix, win32 } from 'node:path'
import { defineError, isServiceLinkError, type ServiceLinkError } from '@service-link/protocol-core'
import { accessProblem } from '../files/access.ts'
import { readWholeFile, whileInUse } from '../files/whole-file.ts'
import { failureReason } from '../log/failure-reason.ts'

/**
 * The XML file of a launch cannot be read: it is missing, not a file, too large, or not permitted.
 *
 * @remedy Name a file that is there, at most 1 MiB long, and that the user may read.
 * @retry when it is there
 * @seenBy partner's developer, user
 */
export class XmlFileError extends defineError('ERR_XML_FILE', (file: string, problem: string) => ({
  message: `The XML file ${file} ${problem}.`,
  /** Absolute path of the file. */
  file,
})) {}

export function readXmlFile(file: string, maxBytes: number, signal?: AbortSignal): Promise<ReadLaunchFile> {
  return readLaunchFile(file, { maxBytes, signal, fail: problem => new XmlFileError(file, problem) })
}

/**
 * The file of `payload=@<file>` cannot be used: it is missing, not a file, too large, not permitted, or open to other users.
 *
 * @remedy Write the payload into a file that only this user can read, and name it as `payload=@<file>`.
 * @retry no
 * @seenBy partner's developer
 */
export class PayloadFileError extends defineError(
  'ERR_PAYLOAD_FILE',
  // `problem` is a clause with neither path nor content.
  (problem: string) => ({ message: `The file that payload names ${problem}.` }),
) {}

/** Largest signed payload, in bytes: the receiver's form of 64 KiB without `payload=`. */
export const maxPayloadBytes = 64 * 1024 - 'payload='.length

/** Room for a line break at the end of the file. */
const whiteSpaceBytes = 16

/**
 * Reads a file that holds a signed payload only. The payload is a credential: links are refused, and on POSIX also files of other
 * users and files that others may read or change. Does not check the payload.
 */
export async function readPayloadFile(file: string, signal?: AbortSignal) {
  const { bytes, deleteIfSame } = await readLaunchFile(file, {
    maxBytes: maxPayloadBytes + whiteSpaceBytes,
    isPrivate: true,
    fail: problem => new PayloadFileError(problem),
    signal,
  })
  // The check of the payload refuses other characters than ASCII.
  return { payload: Buffer.from(bytes).toString('latin1').trim(), deleteIfSame }
}

interface ReadLaunchFileOptions {
  readonly maxBytes: number
  readonly isPrivate?: boolean
  readonly signal?: AbortSignal | undefined
  /** Makes the error for a problem: a clause such as `is not a file`. */
  fail(problem: string): ServiceLinkError
}

interface ReadLaunchFile {
  readonly bytes: Uint8Array
  /**
   * Deletes the file that was read. A newer file of the same name stays, and so does a link with its target. Folders above may be
   * links. On POSIX a file stays if another user could exchange it. Returns whether it was deleted.
   */
  deleteIfSame(): Promise<boolean>
}

/** @throws the error of `fail`, or the signal's reason */
export async function readLaunchFile(
  file: string,
  { fail, ...options }: ReadLaunchFileOptions,
): Promise<ReadLaunchFile> {
  if (!launchPaths().isFilePath(file)) throw fail('is not a file')
  const read = await readWholeFile(file, options).catch((error: unknown) => {
    options.signal?.throwIfAborted()
    throw fail(problemOfFailure(error))
  })
  if ('problem' in read) throw fail(read.problem)
  const { bytes, found } = read
  return {
    bytes,
    async deleteIfSame() {
      try {
        const isWindows = process.platform === 'win32'
        const path = isWindows ? file : join(await realpath(dirname(file)), basename(file))
        const now = await lstat(path, { bigint: true })
        if (
          !options.isPrivate &&
          now.isSymbolicLink() &&
          isSameFile(await stat(path, { bigint: true }), found)
        )
          throw fail('is a link, so the file that it leads to was not deleted')
        if (!isSameFile(now, found)) return false
        const problem = isWindows ? undefined : await exchangeProblem(path)
        if (problem)
          throw fail(
            `was not deleted, as another user could exchange it: it, or a folder above it, ${problem}`,
          )
        await whileInUse(() => rm(path))
        return true
      } catch (error) {
        if (isServiceLinkError(error)) throw error
        if (failureReason(error) === 'ENOENT') return false
        throw fail('could not be deleted')
      }
    },
  }
}

/**
 * Finds out whether another user could exchange a file, by the right to change a folder above it. In a sticky folder only owners
 * have that right. Below a folder that nobody else may enter, rights do not matter.
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

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ELOOP: 'is not a file',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
}

function problemOfFailure(error: unknown): string {
  const reason = failureReason(error)
  return problems[reason] ?? `cannot be read (${reason})`
}

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

function launchPaths(): LaunchPathPlatform {
  return process.platform === 'win32' ? windowsPaths : posixPaths
}

/** Resolves a launch's file name, relative to the launching process's directory. */
export function resolveLaunchPath(workingDirectory: string, name: string): string {
  return launchPaths().resolve(workingDirectory, name)
}
