import type { BigIntStats } from 'node:fs'
import { constants, lstat, open, stat } from 'node:fs/promises'
import { accessProblem } from './access.ts'
import { whileInUse } from './replace-file.ts'

interface ReadWholeFileOptions {
  /** A larger file is refused. */
  readonly maxBytes: number
  /** Refuses links, files of other users, and files that others may read or change. Default false. */
  readonly isPrivate?: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the whole of a file.
 *
 * @returns `found` is the file's status; `problem` is a clause such as `is not a file`
 * @throws the file system's error, or the signal's reason
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
  const before = problemOf(await (isPrivate ? lstat : stat)(file, { bigint: true }))
  if (before) return { problem: before }
  // Another file may have taken the name: do not wait for a pipe, do not follow a link. Windows has neither flag.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  const flags = O_RDONLY | O_NONBLOCK | (isPrivate ? O_NOFOLLOW : 0)
  await using handle = await whileInUse(() => open(file, flags), { signal, limitMs: 3000 })
  const found = await handle.stat({ bigint: true })
  const problem = problemOf(found)
  if (problem) return { problem }
  const bytes = await handle.readFile({ signal })
  return bytes.length > maxBytes ? { problem: `is larger than ${maxBytes} bytes` } : { bytes, found }
}
