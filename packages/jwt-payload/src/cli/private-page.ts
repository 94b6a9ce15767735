import { mkdtemp, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { FileError, fileProblem } from '@service-link/terminal'

const prefix = 'service-payload-page-'
const fileName = 'open.html'

/** No process keeps its page as long, in milliseconds. */
const abandonedMs = 60 * 60 * 1000

/** A page that its user alone can read. */
export interface PrivatePage {
  /** `file:` address. */
  readonly address: string
  /** @throws {FileError} if it stays; the message names it */
  readonly remove: () => Promise<void>
}

/**
 * Writes a page into a fresh folder, both for this user alone: 0700 and 0600, on Windows by the rights of `parent`. Removes the
 * pages of killed processes.
 *
 * @param parent a folder of the user
 * @throws {FileError} if the page cannot be written, or if the file system keeps no other user from it
 */
export async function writePrivatePage(parent: string, html: string): Promise<PrivatePage> {
  await removeAbandonedPages(parent)
  const folder = await mkdtemp(join(parent, prefix)).catch((error: unknown) => {
    throw new FileError(`No folder can be made in ${parent} for the page: ${fileProblem(error)}.`)
  })
  const path = join(folder, fileName)
  const remove = async () => {
    try {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    } catch (error) {
      throw new FileError(`The page ${path} holds a token and cannot be removed: ${fileProblem(error)}.`)
    }
  }
  try {
    await writeFile(path, html, { mode: 0o600, flag: 'wx' })
    if (process.platform !== 'win32' && ((await stat(folder)).mode & 0o077) !== 0)
      throw new FileError(`The file system of ${parent} keeps no other user from a file.`)
  } catch (error) {
    await remove()
    if (error instanceof FileError) throw error
    throw new FileError(`The page ${path} cannot be written: ${fileProblem(error)}.`)
  }
  return { address: pathToFileURL(path).href, remove }
}

/** Removes the page and the folder alone: another program may have a folder with such a name. */
async function removeAbandonedPages(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  for (const name of names.filter(each => each.startsWith(prefix))) {
    const folder = join(parent, name)
    try {
      if (Date.now() - (await stat(folder)).mtimeMs < abandonedMs) continue
      await rm(join(folder, fileName), { force: true })
      await rmdir(folder)
    } catch {
      // Another process was faster, or it is not this user's.
    }
  }
}
