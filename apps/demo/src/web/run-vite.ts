import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const [, , outDir] = process.argv
if (outDir === undefined) throw new TypeError('Say where to build to.')

const root = dirname(fileURLToPath(import.meta.url))

await build({
  configFile: false,
  root,
  base: '/',
  logLevel: 'warn',
  mode: 'production',
  plugins: [react()],
  // Packages of this workspace are bundled from their sources: nothing has to be built before.
  resolve: { conditions: ['@service-link/source', 'module', 'browser', 'production'] },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 2000,
    // The consumer app is a page of its own, with nothing of the employees' in it.
    rolldownOptions: { input: [join(root, 'index.html'), join(root, 'my.html')] },
  },
})
