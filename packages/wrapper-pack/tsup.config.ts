import { thirdPartyLicenses } from '@service-link/command-line/build'
import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/service-webwrapper-pack.ts'],
  format: 'esm',
  target: 'node22.18',
  // The program of the wrapper lies there too.
  clean: ['!program/*'],
  sourcemap: true,
  noExternal: ['@service-link/command-line'],
  esbuildPlugins: [thirdPartyLicenses('dist/third-party-licenses.txt')],
})
