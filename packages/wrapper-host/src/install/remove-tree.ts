import { lstat, readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Removes a file, a link, or a folder with all that is in it. What a link or a junction leads to stays: it is removed as what it is.
 * What cannot be removed stays, and the rest goes all the same.
 *
 * @returns how many could not be removed, folders for what is left in them not counted. Never rejects
 */
export async function removeTree(path: string): Promise<number> {
  try {
    const found = await lstat(path)
    if (!found.isDirectory()) {
      await unlink(path)
      return 0
    }
    let left = 0
    for (const name of await readdir(path)) left += await removeTree(join(path, name))
    if (left === 0) await rmdir(path)
    return left
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 0 : 1
  }
}
