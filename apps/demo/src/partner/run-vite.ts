import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const [, , outDir] = process.argv
if (outDir === undefined) throw new TypeError('Say where to build to.')

const here = dirname(fileURLToPath(import.meta.url))

await build({
  configFile: false,
  root: here,
  logLevel: 'warn',
  mode: 'production',
  // Packages of this workspace are bundled from their sources: nothing has to be built before.
  resolve: { conditions: ['@service-link/source', 'module', 'browser', 'production'] },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    lib: { entry: join(here, 'page', 'journal.ts'), formats: ['es'], fileName: () => 'journal.js' },
  },
})
