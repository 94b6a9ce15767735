import { fileURLToPath } from 'node:url'
import { pureErrors } from '@service-link/bundling'
import type { Options } from 'tsup'

/**
 * The entry for pages. It is one file without imports, so that a page can load it directly. Clinics have browsers some years old.
 */
const browser: Options = {
  entry: { 'browser/index': fileURLToPath(new URL('src/browser/index.ts', import.meta.url)) },
  format: 'esm',
  platform: 'browser',
  target: 'es2020',
  splitting: false,
  esbuildPlugins: [pureErrors],
  sourcemap: true,
  noExternal: [/^@service-link\/protocol-core\/(?:embedding|errors)$/],
  esbuildOptions(options) {
    options.conditions = ['@service-link/source']
    // Fields as assignments need no helper in old browsers.
    delete options.tsconfig
    options.tsconfigRaw = { compilerOptions: { useDefineForClassFields: false } }
  },
}

export default browser
