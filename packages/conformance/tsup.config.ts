import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'

export default defineConfig(
  library({
    entry: ['src/index.ts', 'src/cli/service-conformance.ts'],
    dts: { entry: 'src/index.ts' },
    // The vectors are private, and so is what the programs share.
    noExternal: ['@service-link/terminal', '@service-link/vectors'],
    target: 'node22.18',
  }),
)
