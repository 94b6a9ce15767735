import { fileURLToPath } from 'node:url'
import { thirdPartyLicenses } from '@service-link/bundling'
import type { Options } from 'tsup'

/**
 * The executable, apart from the library: its bundled libraries are dev dependencies, and no file of the library loads them.
 */
const cli: Options = {
  entry: { 'service-payload': fileURLToPath(new URL('src/cli/service-payload.ts', import.meta.url)) },
  outDir: 'dist/cli',
  clean: true,
  format: 'esm',
  target: 'node20.19',
  // The maps of its libraries would be half of the package.
  sourcemap: false,
  noExternal: ['@service-link/terminal', 'zod'],
  // No dependency, which would stay outside by itself: `serve` loads it where it is installed.
  external: ['@service-link/receiver/test-service'],
  esbuildPlugins: [thirdPartyLicenses('dist/cli/third-party-licenses.txt')],
}

export default cli
