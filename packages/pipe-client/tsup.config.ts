import { thirdPartyLicenses } from '@service-link/command-line/build'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/running/index.ts', 'src/cli/service-pipe.ts'],
  format: 'esm',
  target: 'node20.19',
  dts: { entry: ['src/index.ts', 'src/running/index.ts'] },
  clean: true,
  sourcemap: true,
  // The program carries what it shares with the others, and the library of command lines: no dependencies for the library.
  noExternal: ['@service-link/command-line'],
  esbuildPlugins: [thirdPartyLicenses('dist/cli/third-party-licenses.txt')],
})
