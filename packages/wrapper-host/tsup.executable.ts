import { fileURLToPath } from 'node:url'
import { pureErrors, useNodeModules } from '@service-link/bundling'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/** Leaves a module in the file that another build makes of it. */
const leave = (module: RegExp, path: string): Plugin => ({
  name: 'leave',
  setup(build) {
    build.onResolve({ filter: module }, () => ({ path, external: true }))
  },
})

/** A CommonJS module starts sooner than an ES module and takes less memory. Names stay, for its errors. */
const program: Options = {
  format: 'cjs',
  target: 'node22.18',
  splitting: false,
  // Else useNodeModules would not see the modules of Node.
  removeNodeProtocol: false,
  esbuildOptions(options) {
    options.conditions = ['@service-link/source', 'module']
    options.minifyWhitespace = true
    options.minifySyntax = true
  },
}

const source = (name: string) => fileURLToPath(new URL(`src/cli/${name}.ts`, import.meta.url))

/** The executable: one file with all that a hand-off needs, so that a second start is over before further ones would be read. */
const executable: Options = {
  ...program,
  entry: { 'cli/service-webwrapper': source('service-webwrapper') },
  sourcemap: true,
  // Node before 20.16 has none, and would show a line of this file in place of the sentence about its version.
  banner: { js: '"use strict";process.getBuiltinModule??=require;' },
  noExternal: [/^@service-link\/(protocol-core\/(brand|errors|frame|time|windows)|pipe-client\/running)$/],
  esbuildOptions(options, context) {
    program.esbuildOptions?.(options, context)
    // Node's loader of ES modules takes 1 MB and more.
    options.supported = { 'dynamic-import': false }
  },
  esbuildPlugins: [leave(/\/program-parts\.ts$/, './parts.cjs'), pureErrors, useNodeModules],
}

/**
 * The wrapper in one file with all packages: as ES modules of several packages it takes 9 MB more, half of it by modules of
 * Node behind exports that nobody uses. `doctor` and the like stay ES modules, so that a wrapper does not keep their text.
 */
export const programParts: Options = {
  ...program,
  entry: { 'cli/parts': source('program-parts') },
  noExternal: [/./],
  define: { 'import.meta.filename': '__filename' },
  esbuildPlugins: [leave(/\/subcommands\.ts$/, './subcommands.js')],
}

export default executable
