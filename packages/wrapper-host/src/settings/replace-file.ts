import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { refusedRenaming, whileInUse } from './while-in-use.ts'

/** Options of {@link replaceFile}. */
export interface ReplaceFileOptions {
  /** How the new file takes the old one's place. Default: that of the file system. */
  readonly rename?: (from: string, to: string) => Promise<void>
  /** How long in milliseconds the old file may be in use elsewhere. Default 5000. */
  readonly inUseLimitMs?: number
}

/** Far longer than an attempt takes. */
const leftoverAgeMs = 60 * 60 * 1000

/**
 * Puts a file in the place of another, or where none is, in one step: whoever reads, also after a failure of power, finds the
 * old content or the new one. Folder and file are this user's alone where there are such permissions.
 *
 * @throws the file system's error; the old file is as it was
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

/** Removes what attempts have left that a failure of power has ended; a younger one may be another process's. */
async function clearLeftovers(file: string): Promise<void> {
  const [folder, prefix] = [dirname(file), `${basename(file)}.`]
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !/^[\da-f-]{36}\.tmp$/.test(name.slice(prefix.length))) continue
    const path = join(folder, name)
    if (Date.now() - (await stat(path)).mtimeMs > leftoverAgeMs) await rm(path, { force: true })
  }
}

/** Else a machine that loses power could have the new name, and nothing behind it. */
async function writeThrough(file: string, content: string | Uint8Array): Promise<void> {
  await using handle = await open(file, 'wx', 0o600)
  await handle.writeFile(content)
  await handle.sync()
}
