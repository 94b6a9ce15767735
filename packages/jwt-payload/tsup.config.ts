import { defineConfig } from 'tsup'
import browser from './tsup.browser.ts'
import cli from './tsup.cli.ts'

const entries = [
  'src/index.ts',
  'src/receiver/index.ts',
  'src/receiver/node/index.ts',
  'src/receiver/testing/index.ts',
]

export default defineConfig([
  {
    entry: entries,
    format: 'esm',
    target: 'node20.19',
    dts: { entry: [...entries, 'src/browser/index.ts'] },
    clean: ['!browser/index.js*', '!cli/*'],
    sourcemap: true,
  },
  browser,
  cli,
])
