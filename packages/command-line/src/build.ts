// Plugins of the bundler that builds programs.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

/** What of a bundler's record of a build is read. */
interface BuildRecord {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >
}

/** What of the bundler a plugin uses. */
interface Bundler {
  readonly initialOptions: { metafile?: boolean | undefined }
  onEnd(callback: (result: { readonly metafile?: BuildRecord | undefined }) => void): void
}

/** Names under which packages carry their licence. */
const licenseFile = /^(licen[cs]e|copying|copyrightnotice|notice)(\.(md|txt))?$/i

/**
 * A bundler plugin that writes the licences of all packages whose code went into the output: their authors ask for that.
 *
 * @param file where to, in the package
 * @throws {TypeError} when a package has no licence file
 */
export function thirdPartyLicenses(file: string) {
  return {
    name: 'third-party-licenses',
    setup(bundler: Bundler): void {
      bundler.initialOptions.metafile = true
      bundler.onEnd(({ metafile }) => {
        if (!metafile) return
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, licensesOf(metafile))
      })
    },
  }
}

function licensesOf({ outputs }: BuildRecord): string {
  const folders = new Set<string>()
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = /^(.*node_modules\/(@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder)
    }
  return [...folders]
    .map(readLicense)
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function readLicense(folder: string): string {
  const { name, version, license }: Record<string, unknown> = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const files = readdirSync(folder).filter(entry => licenseFile.test(entry))
  if (files.length === 0) throw new TypeError(`${name} has no licence file in ${dirname(folder)}.`)
  const texts = files.map(entry => readFileSync(join(folder, entry), 'utf8').trim())
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
}

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
