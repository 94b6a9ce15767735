import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce } from '../build/build-once.ts'

const here = dirname(fileURLToPath(import.meta.url))
const packagesFolder = join(here, '..', '..', '..', '..', 'packages')

/**
 * Builds the web app, unless the very same sources were built before.
 *
 * @returns the folder with `index.html` and `assets/`
 * @throws {Error} with the builder's output when the sources do not build
 */
export function buildWebApp(): Promise<string> {
  return buildOnce({
    name: 'web-app',
    program: join(here, 'run-vite.ts'),
    sources: [
      here,
      join(packagesFolder, 'wrapper-host', 'src', 'bridge', 'page'),
      join(packagesFolder, 'protocol-core', 'src'),
    ],
    result: 'index.html',
  })
}
