import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PackError } from '../pack-error.ts'

/**
 * All files of a folder and the folders below it.
 *
 * @returns paths relative to it, with `/` between their parts, in order
 * @throws {PackError} `installer` for a link or anything else that is neither a file nor a folder
 */
export async function listFiles(folder: string, below = ''): Promise<readonly string[]> {
  const files: string[] = []
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = `${below}${entry.name}`
    if (entry.isDirectory()) files.push(...(await listFiles(folder, `${path}/`)))
    else if (entry.isFile()) files.push(path)
    else throw new PackError('installer', `${path} in the packed folder is neither a file nor a folder.`)
  }
  return files.sort()
}
