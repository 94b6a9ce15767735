import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'
import executable, { commands } from './tsup.executable.ts'

const entries = ['src/index.ts', 'src/web-app/page/index.ts', 'src/testing/index.ts', 'src/packing.ts']

export default defineConfig([
  library({
    entry: entries,
    target: 'node22.18',
    clean: ['!cli/*'],
    // node:sqlite has no name without its prefix.
    removeNodeProtocol: false,
    noExternal: ['@service-link/command-line'],
  }),
  executable,
  commands,
])
