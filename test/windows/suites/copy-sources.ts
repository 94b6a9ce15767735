import { cp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Folders that the packages' tests read, including `packages` with its tests. */
const sources = ['packages', 'internal', 'conformance', 'docs', join('test', 'windows', 'suites')]

/** Build output and installed files are no sources. */
const notSources = new Set(['node_modules', 'dist', '.turbo'])

/**
 * Copies the sources of the repository, because Wine shows pnpm's links as separate folders. Removes an earlier copy
 * first.
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
