import type { BigIntStats, Stats } from 'node:fs'
import { constants, lstat, open, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isServiceLinkError, type ServiceLinkError } from '@service-link/protocol-core'
import { accessProblem } from '../files/access-problem.ts'
import { whileInUse } from '../files/replace-file.ts'
import { failureReason } from '../log/failure-reason.ts'
import { isFilePath } from './launch-path.ts'

/** How {@link readLaunchFile} reads. */
export interface ReadLaunchFileOptions {
  /** A larger file is refused. */
  readonly maxBytes: number
  /** Whether links, files of other users, and files that others may read or change are refused. Default false. */
  readonly isPrivate?: boolean
  /** Gives the reading up, for its reason. */
  readonly signal?: AbortSignal
  /** Makes the error for a problem, which is a clause such as `is not a file`. */
  fail(problem: string): ServiceLinkError
}

/** A file as it was when it was read. */
export interface ReadLaunchFile {
  readonly bytes: Uint8Array
  /**
   * Deletes the file if the one under its name is still the one that was read; a newer one stays. A link is not followed to delete
   * what it leads to, nor removed in its stead: that would leave what was read behind unseen. Folders above may be links. A file that
   * another user could exchange in between stays too, except on Windows, where that is not looked at.
   *
   * @returns whether it was deleted
   * @throws what `fail` makes, also when the name is a link, or another user could exchange the file
   */
  deleteIfSame(): Promise<boolean>
}

/**
 * Reads the whole of a file that a launch names, and remembers which one it was.
 *
 * @param file path as `resolveLaunchPath` gives it
 * @throws what `fail` makes, or the signal's reason
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

/** Another file may have come under the name since it was looked at: a pipe is not waited for, a link not followed. */
function openFlags(isPrivate: boolean): number {
  // Neither is there on Windows.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  return O_RDONLY | O_NONBLOCK | (isPrivate ? O_NOFOLLOW : 0)
}

function problemOf(found: BigIntStats, maxBytes: number, isPrivate: boolean): string | undefined {
  if (!found.isFile()) return 'is not a file'
  if (found.size > maxBytes) return `is larger than ${maxBytes} bytes`
  return isPrivate ? accessProblem(found, true) : undefined
}

/**
 * What lets another user put something else in the place of a file: the right to change a folder above it. In a sticky folder that
 * is the owner's right alone. Below a folder that nobody else may enter the rest does not matter.
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
