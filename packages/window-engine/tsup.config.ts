import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'

export default defineConfig(
  library({
    entry: ['src/index.ts', 'src/testing/index.ts'],
    target: 'node22.18',
    // The contract is told by node:test where no other runner is given; that has no name without its prefix.
    removeNodeProtocol: false,
  }),
)
