import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'

export default defineConfig(
  library({
    entry: [
      'src/index.ts',
      'src/frame/frame.ts',
      'src/wrapper/brand.ts',
      'src/embedding/frame-message.ts',
      'src/errors/index.ts',
      'src/person/index.ts',
      'src/time/index.ts',
      'src/windows/index.ts',
    ],
  }),
)
