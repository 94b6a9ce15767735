// Plugins of the bundler that builds programs.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

/** The part of a bundler's record of a build that is read. */
interface BuildRecord {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >
}

/** The part of a bundler that a plugin uses. */
interface Bundler {
  readonly initialOptions: { metafile?: boolean | undefined }
  onEnd(callback: (result: { readonly metafile?: BuildRecord | undefined }) => void): void
}

/** Names under which packages carry their license. */
const licenseFile = /^(licen[cs]e|copying|copyrightnotice|notice)(\.(md|txt))?$/i

/**
 * A bundler plugin that writes the licenses of all packages in the output, if there are any.
 *
 * @param file path in the package
 */
export function thirdPartyLicenses(file: string) {
  return {
    name: 'third-party-licenses',
    setup(bundler: Bundler): void {
      bundler.initialOptions.metafile = true
      bundler.onEnd(({ metafile }) => {
        const text = metafile ? licensesOf([metafile]) : ''
        if (text === '') return
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
      })
    },
  }
}

/** A package of npm whose code went into a build. */
export interface BundledPackage {
  readonly name: string
  readonly version: string
  /** SPDX expression, as the package says. */
  readonly license: string
}

/** Lists the packages of others whose code went into builds, by name. */
export function packagesOf(builds: readonly BuildRecord[]): readonly BundledPackage[] {
  return foldersOf(builds)
    .map(readPackage)
    .sort(byText(({ name, version }) => `${name} ${version}`))
}

/** Name, version and license texts of the packages whose code went into builds. */
export function licensesOf(builds: readonly BuildRecord[]): string {
  return foldersOf(builds)
    .map(readLicense)
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function byText<Value>(textOf: (value: Value) => string) {
  return (a: Value, b: Value) => (textOf(a) < textOf(b) ? -1 : 1)
}

function foldersOf(builds: readonly BuildRecord[]): readonly string[] {
  const folders = new Set<string>()
  for (const { inputs } of builds.flatMap(({ outputs }) => Object.values(outputs)))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = /^(.*node_modules\/(@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder)
    }
  return [...folders]
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { name: String(name), version: String(version), license: String(license) }
}

function readLicense(folder: string): string {
  const { name, version, license } = readPackage(folder)
  const files = readdirSync(folder).filter(entry => licenseFile.test(entry))
  const texts = files.map(entry => readFileSync(join(folder, entry), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts].join('\n\n').concat('\n')
}

/** Marks the bases of errors as free of effects: bundlers leave out the errors that a program does not use. */
export const pureErrors: Plugin = {
  name: 'pure-errors',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: markErrorBases(readFileSync(path, 'utf8')),
      loader: 'ts',
    }))
  },
}

/** Marks each call of `defineError` and its kin in the head of a class. */
export function markErrorBases(text: string): string {
  return text.replaceAll(/^((?:export )?class \w+ extends )(?=define\w+\()/gm, '$1/* @__PURE__ */ ')
}

/**
 * Reads modules of Node by `process.getBuiltinModule`. An import would read each export and load the modules behind it, such as
 * node:fs/promises for node:fs.
 */
export const useNodeModules: Plugin = {
  name: 'use-node-modules',
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
