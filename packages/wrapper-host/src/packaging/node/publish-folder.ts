import { access, rename } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Moves a folder to its place, unless one with the wanted file is there: somebody was quicker, and may be using it. Nothing that is there is removed.
 *
 * @param made absolute path of the folder; it stays where it is when it was not needed
 * @param place absolute path; of the same file system
 * @param wanted path inside the folder
 * @throws the error of the file system, when there is none with that file afterwards
 */
export async function publishFolder(made: string, place: string, wanted: string): Promise<void> {
  try {
    // Of two that do this at once, the second finds one that is not empty.
    await rename(made, place)
  } catch (error) {
    const isThere = await access(join(place, wanted)).then(
      () => true,
      () => false,
    )
    if (!isThere) throw error
  }
}
