import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'

export default defineConfig(
  library({
    entry: ['src/service-webwrapper-pack.ts'],
    target: 'node22.18',
    dts: false,
    // The wrapper's program and launchers lie there too.
    clean: ['!program/*', '!launcher/*'],
    noExternal: ['@service-link/terminal', '@service-link/bundling'],
  }),
)
