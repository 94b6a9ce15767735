import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce } from '../build/build-once.ts'

const here = dirname(fileURLToPath(import.meta.url))
const packagesFolder = join(here, '..', '..', '..', '..', 'packages')

/**
 * Builds the script of the journal's page, unless the very same sources were built before.
 *
 * @returns the folder with `journal.js`
 * @throws {Error} with the builder's output when the sources do not build
 */
export function buildJournal(): Promise<string> {
  return buildOnce({
    name: 'journal',
    program: join(here, 'run-vite.ts'),
    sources: [
      join(here, 'page'),
      ...['browser', 'http', 'post'].map(folder => join(packagesFolder, 'jwt-payload', 'src', folder)),
      join(packagesFolder, 'protocol-core', 'src'),
    ],
    result: 'journal.js',
  })
}
