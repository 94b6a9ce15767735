import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'

const entries = ['src/index.ts', 'src/running/index.ts', 'src/running/list-records.ts']

export default defineConfig(
  library({
    entry: [...entries, 'src/cli/service-pipe.ts'],
    dts: { entry: entries },
    // The program carries what it shares with the others, and the library of command lines: no dependencies for the library.
    noExternal: ['@service-link/terminal'],
  }),
)
