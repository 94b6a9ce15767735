import { thirdPartyLicenses } from '@service-link/command-line/build'
import { defineConfig } from 'tsup'
import executable from './tsup.executable.ts'

const entries = ['src/index.ts', 'src/web-app/page/index.ts', 'src/testing/index.ts', 'src/packing.ts']

export default defineConfig([
  {
    entry: [...entries, 'src/cli/commands.ts'],
    format: 'esm',
    target: 'node22.18',
    dts: { entry: entries },
    clean: ['!cli/service-webwrapper.*'],
    sourcemap: true,
    // node:sqlite has no name without its prefix.
    removeNodeProtocol: false,
    noExternal: ['@service-link/command-line'],
    esbuildPlugins: [thirdPartyLicenses('dist/third-party-licenses.txt')],
  },
  executable,
])
