import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { failureReason } from '@service-link/wrapper-host/packing'

/** Names of the program of a Chromium build, by platform: the first that is there. */
const programs = { windows: ['chrome.exe', 'chromium.exe'], linux: ['chrome', 'chromium'] } as const

/** A folder with a browser, as the packer copies it. */
export interface BrowserFolder {
  /** File name of the browser's program in it. */
  readonly program: string
  /** Relative paths of all files, with the system's separators. */
  readonly files: readonly string[]
  readonly bytes: number
}

/**
 * Looks at a folder with a browser.
 *
 * @returns a clause about what is wrong with it, if the platform cannot use it or it does not hold all that is run
 */
export async function readBrowserFolder(
  folder: string,
  { isWindows }: { readonly isWindows: boolean },
): Promise<BrowserFolder | string> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    // A link would lead to files that are not packed, or out of the installed folder.
    const odd = entries.find(entry => !entry.isFile() && !entry.isDirectory())
    if (odd) return `holds ${odd.name}, which is a link or no file`
    const paths = entries
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    const names = programs[isWindows ? 'windows' : 'linux']
    const program = names.find(name => paths.includes(join(folder, name)))
    if (program === undefined) return `holds no ${names.join(' or ')}, the program of a Chromium build`
    const isRunnable = isWindows || ((await stat(join(folder, program))).mode & 0o100) !== 0
    if (!isRunnable) return `holds ${program}, which may not be executed`
    const sizes = await Promise.all(paths.map(async path => (await lstat(path)).size))
    const files = paths.map(path => path.slice(folder.length + 1)).toSorted()
    return { program, files, bytes: sizes.reduce((sum, size) => sum + size, 0) }
  } catch (error) {
    return `is not there or cannot be read (${failureReason(error)})`
  }
}
