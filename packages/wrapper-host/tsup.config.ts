import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'
import executable from './tsup.executable.ts'

const entries = ['src/index.ts', 'src/web-app/page/index.ts', 'src/testing/index.ts', 'src/packing.ts']

export default defineConfig([
  library({
    entry: [...entries, 'src/cli/commands.ts'],
    target: 'node22.18',
    dts: { entry: entries },
    clean: ['!cli/service-webwrapper.*'],
    // node:sqlite has no name without its prefix.
    removeNodeProtocol: false,
    noExternal: ['@service-link/command-line'],
  }),
  executable,
])
