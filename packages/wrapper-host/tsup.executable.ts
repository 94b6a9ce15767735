import { fileURLToPath } from 'node:url'
import { takeNodeModules } from '@service-link/bundling'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** What the executable loads only as the wrapper is left in files of its own, which the build of the package makes. */
const leaveOnDemand: Plugin = {
  name: 'leave-on-demand',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: path.replace(/\.ts$/, '.js'), external: true } : undefined,
    )
  },
}

/**
 * The executable: one file with all that a hand-off needs, so that a second start is over before further ones would be
 * read. A CommonJS module starts sooner than an ES module, and so does a short one: names stay, for its errors.
 */
const executable: Options = {
  entry: {
    'cli/service-webwrapper': fileURLToPath(new URL('src/cli/service-webwrapper.ts', import.meta.url)),
  },
  format: 'cjs',
  target: 'node22.18',
  splitting: false,
  sourcemap: true,
  // Else the plugin below would not see the modules of Node.
  removeNodeProtocol: false,
  noExternal: [/^@service-link\/(protocol-core\/(brand|errors|frame|time)|pipe-client\/running)$/],
  esbuildOptions(options) {
    options.conditions = ['@service-link/source']
    options.minifyWhitespace = true
    options.minifySyntax = true
  },
  esbuildPlugins: [leaveOnDemand, takeNodeModules],
}

export default executable
