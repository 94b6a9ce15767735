import { defineConfig } from 'tsup'
import browser from './tsup.browser.ts'

export default defineConfig([
  {
    entry: ['src/index.ts', 'src/receiver/index.ts'],
    format: 'esm',
    target: 'node20.19',
    dts: { entry: ['src/index.ts', 'src/receiver/index.ts', 'src/browser/index.ts'] },
    clean: ['!browser/index.js*'],
    sourcemap: true,
  },
  browser,
])
