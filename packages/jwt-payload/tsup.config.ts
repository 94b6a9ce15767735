import { defineConfig } from 'tsup'
import browser from './tsup.browser.ts'
import cli from './tsup.cli.ts'

export default defineConfig([
  {
    entry: ['src/index.ts', 'src/receiver/index.ts'],
    format: 'esm',
    target: 'node20.19',
    dts: { entry: ['src/index.ts', 'src/receiver/index.ts', 'src/browser/index.ts'] },
    clean: ['!browser/index.js*', '!cli/*'],
    sourcemap: true,
  },
  browser,
  cli,
])
