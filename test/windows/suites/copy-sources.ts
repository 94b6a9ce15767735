import { cp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Folders that the tests of the packages read, `packages` with its tests among them. */
const sources = ['packages', 'protocol-vectors', 'docs', join('test', 'windows', 'suites')]

/** What is built or installed is not the sources'. */
const notSources = new Set(['node_modules', 'dist', '.turbo'])

/**
 * Copies the sources of the repository, since Wine shows links, of which pnpm makes its folders, as folders of their own.
 * What an earlier run copied goes first.
 *
 * @param root absolute path of the repository
 * @param folder absolute path
 */
export async function copySources(root: string, folder: string): Promise<void> {
  for (const source of sources) {
    await rm(join(folder, source), { recursive: true, force: true })
    await cp(join(root, source), join(folder, source), {
      recursive: true,
      filter: file => !notSources.has(basename(file)),
    })
  }
  await cp(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
}
