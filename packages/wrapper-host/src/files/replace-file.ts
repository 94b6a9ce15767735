import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { failureReason } from '../log/failure-reason.ts'

/** Options of {@link replaceFile}. */
interface ReplaceFileOptions {
  /** Renames the new file. Default: that of the file system. */
  readonly rename?: (from: string, to: string) => Promise<void>
  /** Longest time in milliseconds that another program may hold the old file. Default 5000. */
  readonly inUseLimitMs?: number
}

/** Younger files may belong to another process. */
const leftoverAgeMs = 60 * 60 * 1000

/**
 * Replaces or creates a file in one step: readers find the old content or the new one, also after a power failure. On POSIX
 * only this user may read folder and file.
 *
 * @throws the file system's error; the old file stays
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  options: ReplaceFileOptions = {},
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await writeThrough(temporary, content)
    await whileInUse(() => (options.rename ?? rename)(temporary, file), {
      reasons: refusedRenaming,
      ...(options.inUseLimitMs === undefined ? {} : { limitMs: options.inUseLimitMs }),
    })
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
  await clearLeftovers(file).catch(() => undefined)
}

/** Removes temporary files that a power failure left. */
async function clearLeftovers(file: string): Promise<void> {
  const [folder, prefix] = [dirname(file), `${basename(file)}.`]
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !/^[\da-f-]{36}\.tmp$/.test(name.slice(prefix.length))) continue
    const path = join(folder, name)
    if (Date.now() - (await stat(path)).mtimeMs > leftoverAgeMs) await rm(path, { force: true })
  }
}

/** Without the sync, a power failure could leave the new name with no content. */
async function writeThrough(file: string, content: string | Uint8Array): Promise<void> {
  await using handle = await open(file, 'wx', 0o600)
  await handle.writeFile(content)
  await handle.sync()
}

/** Options of {@link whileInUse}. */
interface WhileInUseOptions {
  /** Error codes of the file system that are worth a retry. Default: `EBUSY`. */
  readonly reasons?: readonly string[]
  /** Longest time for retries in milliseconds. Default 5000. */
  readonly limitMs?: number
  /** Ends the retries with its reason. */
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
