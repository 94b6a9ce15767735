import { randomUUID } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { failureReason } from '../log/failure-reason.ts'
import { TrayError } from './tray-error.ts'

/** Only its owner may read, change and run it. */
const programMode = 0o700

/**
 * Copies a program so that this user can run it. A copy that is there is used when it has the same content, belongs to this
 * user and no other may change it; else it is replaced, in one step.
 *
 * @param folder this user's alone
 * @returns path of the copy
 * @throws {TrayError} `no-folder` when it cannot be written, `no-program` when the program cannot be read
 */
export async function runnableCopy(file: string, folder: string): Promise<string> {
  const content = await readFile(file).catch(() => undefined)
  if (!content)
    throw new TrayError('no-program', 'The program that shows the icon cannot be read. Install it anew.')
  const copy = join(folder, basename(file))
  if (await isSame(copy, content)) return copy
  const temporary = join(folder, `${randomUUID()}.tmp`)
  try {
    await writeFile(temporary, content, { flag: 'wx', mode: programMode })
    await rename(temporary, copy)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new TrayError(
      'no-folder',
      `The program that shows the icon cannot be copied (${failureReason(error)}).`,
    )
  }
  return copy
}

async function isSame(copy: string, content: Buffer): Promise<boolean> {
  let handle: FileHandle | undefined
  try {
    // What is looked at is what is read: not a link, and not a file put in its place in between.
    handle = await open(copy, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    return isOwn(await handle.stat(), content.length) && content.equals(await handle.readFile())
  } catch {
    return false
  } finally {
    await handle?.close()
  }
}

function isOwn(found: Stats, size: number): boolean {
  return (
    found.isFile() &&
    found.size === size &&
    found.uid === process.getuid?.() &&
    (found.mode & 0o777) === programMode
  )
}
