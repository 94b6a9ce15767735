import { randomUUID } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { failureReason } from '../log/failure-reason.ts'
import { accessProblem } from './access.ts'

interface ReadWholeFileOptions {
  readonly maxBytes: number
  /** Refuses links, files of other users, and files that others may read or change. Default false. */
  readonly isPrivate?: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the whole of a file.
 *
 * @returns `found` is the file's status; `problem` is a clause such as `is not a file`
 */
export async function readWholeFile(
  file: string,
  { maxBytes, isPrivate = false, signal }: ReadWholeFileOptions,
): Promise<{ readonly bytes: Uint8Array; readonly found: BigIntStats } | { readonly problem: string }> {
  const problemOf = (found: BigIntStats) => {
    if (!found.isFile()) return 'is not a file'
    if (found.size > maxBytes) return `is larger than ${maxBytes} bytes`
    return isPrivate ? accessProblem(found, true) : undefined
  }
  // Opening a device may already have an effect.
  const bigint = { bigint: true } as const
  const before = problemOf(await (isPrivate ? lstat(file, bigint) : stat(file, bigint)))
  if (before) return { problem: before }
  // Another file may have taken the name: do not wait for a pipe, do not follow a link. Windows has neither flag.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  const flags = O_RDONLY | O_NONBLOCK | (isPrivate ? O_NOFOLLOW : 0)
  await using handle = await whileInUse(() => open(file, flags), { signal, limitMs: 3000 })
  const found = await handle.stat(bigint)
  const problem = problemOf(found)
  if (problem) return { problem }
  const bytes = await handle.readFile({ signal })
  return bytes.length > maxBytes ? { problem: `is larger than ${maxBytes} bytes` } : { bytes, found }
}

/**
 * Replaces or creates a file in one step: readers find the old content or the new one, also after a power failure. On POSIX
 * only this user may read folder and file.
 */
export async function replaceFile(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await writeThrough(temporary, content)
    await whileInUse(() => rename(temporary, file), { reasons: refusedRenaming })
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Without the sync, a power failure could leave the new name with no content. */
async function writeThrough(file: string, content: string): Promise<void> {
  await using handle = await open(file, 'wx', 0o600)
  await handle.writeFile(content)
  await handle.sync()
}

interface WhileInUseOptions {
  /** Error codes of the file system that are worth a retry. Default: `EBUSY`. */
  readonly reasons?: readonly string[] | undefined
  /** Longest time for retries in milliseconds. Default 5000. */
  readonly limitMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Codes with which Windows refuses to rename a file that is open elsewhere, or a folder with such a file. */
export const refusedRenaming: readonly string[] = ['EPERM', 'EACCES', 'EBUSY']

/** Virus scanners and readers hold a file only for a moment. */
const longestPauseMs = 50

/**
 * Runs an operation on a file, and repeats it while Windows refuses because another program holds the file.
 *
 * @throws the error of the last try, or the signal's reason
 */
export async function whileInUse<Result>(
  attempt: () => Promise<Result>,
  { reasons = ['EBUSY'], limitMs = 5000, signal }: WhileInUseOptions = {},
): Promise<Result> {
  const deadline = new Deadline(limitMs, signal)
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await attempt()
    } catch (error) {
      if (!reasons.includes(failureReason(error)) || deadline.isOver) throw error
    }
    await pause(pauseMs * (0.5 + Math.random()), signal)
  }
}
