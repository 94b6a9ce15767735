import { thirdPartyLicenses } from '@service-link/bundling'
import { library } from '@service-link/bundling/library'
import { defineConfig } from 'tsup'
import executable, { programParts } from './tsup.executable.ts'

const entries = ['src/index.ts', 'src/web-app/page/index.ts', 'src/testing/index.ts', 'src/packing.ts']

export default defineConfig([
  library({
    entry: [...entries, 'src/cli/subcommands.ts'],
    target: 'node22.18',
    dts: { entry: entries },
    // What the other two write.
    clean: ['!cli/*.cjs*', '!cli/third-party-licenses.txt'],
    noExternal: ['@service-link/terminal'],
  }),
  executable,
  {
    ...programParts,
    esbuildPlugins: [
      ...(programParts.esbuildPlugins ?? []),
      thirdPartyLicenses('dist/cli/third-party-licenses.txt'),
    ],
  },
])
