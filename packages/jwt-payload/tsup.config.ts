import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'
import browser from './tsup.browser.ts'
import cli from './tsup.cli.ts'

const entries = ['src/index.ts', 'src/steps/index.ts']

export default defineConfig([
  library({
    entry: entries,
    dts: { entry: [...entries, 'src/browser/index.ts'] },
    clean: ['!browser/index.js*', '!cli/*'],
  }),
  browser,
  cli,
])
