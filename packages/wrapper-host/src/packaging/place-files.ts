import { access, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'

/** Options of {@link placeFiles}. */
export interface PlaceFilesOptions {
  /** What is moved: where it is, absolute, and its name in `folder`. The first is moved first. */
  readonly made: readonly { readonly from: string; readonly name: string }[]
  /** What is taken away from `folder` besides what has one of those names. */
  readonly stale: readonly string[]
  /** Absolute path. */
  readonly folder: string
  /** Folder for what was there, absolute, of the same file system; made when missing. */
  readonly aside: string
}

/**
 * Moves files and folders to their places, where they replace what is there: all of them, or everything stays as it was.
 *
 * @throws the error of the file system, such as that of a file that is open on Windows
 */
export async function placeFiles({ made, stale, folder, aside }: PlaceFilesOptions): Promise<void> {
  const moved: (readonly [from: string, to: string])[] = []
  const move = async (from: string, to: string) => {
    await rename(from, to)
    moved.unshift([from, to])
  }
  await mkdir(aside, { recursive: true })
  try {
    // No file system replaces a folder that is not empty.
    for (const name of new Set([...made.map(({ name }) => name), ...stale]))
      if (await exists(join(folder, name))) await move(join(folder, name), join(aside, name))
    for (const { from, name } of made) await move(from, join(folder, name))
  } catch (error) {
    for (const [from, to] of moved) await rename(to, from)
    throw error
  }
}

/** Whether there is a file or folder. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
