import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** More are of no use to anybody, and a disk that damages files would be filled with them. */
const maxKeptFiles = 5

/**
 * Moves a damaged file out of the way as `<file>.bad-<time>`; of earlier ones the newest stay, five in all.
 *
 * @throws the file system's error when it cannot be moved
 */
export async function setAside(file: string, now: Date): Promise<void> {
  const prefix = `${basename(file)}.bad-`
  await rename(file, `${file}.bad-${now.toISOString().replaceAll(/[:.]/g, '-')}`)
  // The time in a name orders the names as text.
  const kept = (await readdir(dirname(file))).filter(name => name.startsWith(prefix)).sort()
  for (const name of kept.slice(0, -maxKeptFiles)) await rm(join(dirname(file), name), { force: true })
}
