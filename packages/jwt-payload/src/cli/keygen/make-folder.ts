import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder, with those above it, unless it is there. Node's own recursive way never ends where the file system denies
 * that the folder above exists, as Linux does below /proc.
 *
 * @throws the file system's error
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' && dirname(resolve(path)) !== resolve(path)) {
      await makeFolder(dirname(resolve(path)))
      await mkdir(path)
    } else if (code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
}
