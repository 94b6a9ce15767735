import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'
import browser from './tsup.browser.ts'
import cli from './tsup.cli.ts'

const entries = [
  'src/index.ts',
  'src/receiver/index.ts',
  'src/receiver/node/index.ts',
  'src/receiver/testing/index.ts',
  'src/testing/index.ts',
]

export default defineConfig([
  library({
    entry: entries,
    dts: { entry: [...entries, 'src/browser/index.ts'] },
    clean: ['!browser/index.js*', '!cli/*'],
  }),
  browser,
  cli,
])
