// The build of a library.

import { readFileSync } from 'node:fs'
import type { Plugin } from 'esbuild'
import type { Options } from 'tsup'
import ts from 'typescript'
import { markErrorBases, thirdPartyLicenses } from './index.ts'

/**
 * Completes the options of a library's build. The files hold the used parts of zod: an import of zod itself loads its messages
 * in 50 languages.
 */
export function library({ noExternal = [], ...options }: Options): Options {
  return {
    format: 'esm',
    target: 'node20.19',
    dts: true,
    clean: true,
    sourcemap: true,
    // Bundlers for edge runtimes take a name without the prefix for a package; node:sqlite and node:test have none.
    removeNodeProtocol: false,
    noExternal: ['zod', ...noExternal],
    esbuildPlugins: [pureConstants, thirdPartyLicenses('dist/third-party-licenses.txt')],
    ...options,
  }
}

/**
 * Marks the value of each constant of a module, and the base of each error, as free of effects, as `sideEffects: false` says of
 * the module. Bundlers then leave out what a program does not use, although one file of a build holds many modules.
 */
export const pureConstants: Plugin = {
  name: 'pure-constants',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const values = ts
        .createSourceFile(path, text, ts.ScriptTarget.Latest)
        .statements.filter(ts.isVariableStatement)
        .flatMap(({ declarationList }) => declarationList.declarations)
        .flatMap(({ initializer }) => (initializer && isComputed(initializer) ? [initializer] : []))
        .filter(({ pos, end }) => !/\bawait\b/.test(text.slice(pos, end)))
      let contents = ''
      let at = 0
      for (const { pos, end } of values) {
        contents += `${text.slice(at, pos)} /* @__PURE__ */ (() => (${text.slice(pos, end)}))()`
        at = end
      }
      return { contents: markErrorBases(contents + text.slice(at)), loader: 'ts' }
    })
  },
}

/** Whether a value is computed as the module begins. */
function isComputed(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false
  return (
    // The bundler writes it as a call.
    (ts.isRegularExpressionLiteral(node) && node.text.includes(String.raw`\p{`)) ||
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isBinaryExpression(node) ||
    ts.forEachChild(node, isComputed) === true
  )
}
