import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'

export default defineConfig(
  library({
    entry: ['src/index.ts', 'src/testing/index.ts'],
    target: 'node22.18',
  }),
)
