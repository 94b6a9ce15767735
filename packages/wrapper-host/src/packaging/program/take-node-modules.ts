import { createRequire } from 'node:module'
import type { Plugin } from 'esbuild'

/**
 * An import of a module of Node reads each of its exports, which loads what lies behind them: node:fs/promises for
 * node:fs. Taken this way, a module costs only what is used of it.
 */
export const takeNodeModules: Plugin = {
  name: 'take-node-modules',
  setup(build) {
    const require = createRequire(import.meta.url)
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'node' }))
    build.onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: [
        `const node = process.getBuiltinModule('${path}')`,
        ...Object.keys(require(path)).map(
          name => `export const ${name} = /* @__PURE__ */ Reflect.get(node, '${name}')`,
        ),
      ].join('\n'),
    }))
  },
}
