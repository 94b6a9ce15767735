import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failureReason, refusedRenaming, whileInUse } from '@service-link/wrapper-host/packing'
import { PackError } from './pack-plan.ts'

/** Options of {@link placeFiles}. */
export interface PlaceFilesOptions {
  /** What is moved: where it is, absolute, and its name in `folder`. The first is moved first. */
  readonly made: readonly { readonly from: string; readonly name: string }[]
  /** What is taken away from `folder` besides what has one of those names. */
  readonly stale: readonly string[]
  /** Absolute path. */
  readonly folder: string
  /** Folder for what was there, absolute, of the same file system; made when missing, and gone in the end. */
  readonly aside: string
}

/**
 * Moves files and folders to their places, where they replace what is there: all of them, or everything stays as it was.
 *
 * @throws {PackError} `folder` when something cannot be put back: then it is in `aside`, which stays, and is named
 * @throws the error of the file system otherwise, such as that of a file that is open on Windows
 */
export async function placeFiles({ made, stale, folder, aside }: PlaceFilesOptions): Promise<void> {
  const moved: (readonly [from: string, to: string])[] = []
  // A scanner for viruses looks at an executable that was just written.
  const relocate = (from: string, to: string) =>
    whileInUse(() => rename(from, to), { reasons: refusedRenaming })
  const move = async (from: string, to: string) => {
    await relocate(from, to)
    moved.unshift([from, to])
  }
  await mkdir(aside, { recursive: true })
  try {
    // No file system replaces a folder that is not empty.
    for (const name of new Set([...made.map(({ name }) => name), ...stale]))
      if (await exists(join(folder, name))) await move(join(folder, name), join(aside, name))
    for (const { from, name } of made) await move(from, join(folder, name))
  } catch (error) {
    let isUndone = true
    for (const [from, to] of moved)
      await relocate(to, from).catch(() => {
        isUndone = false
      })
    if (!isUndone)
      throw new PackError(
        'folder',
        `The folder cannot be written (${failureReason(error)}), nor could all that was there be put back: the rest is in ${aside}.`,
      )
    await remove(aside)
    throw error
  }
  await remove(aside)
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Whether there is a file or folder. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
