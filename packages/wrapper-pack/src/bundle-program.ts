import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  type BundledPackage,
  licensesOf,
  packagesOf,
  pureErrors,
  useNodeModules,
} from '@service-link/bundling'
import {
  assetNames,
  pinsAsset,
  withheldVariables,
  withholdVariables,
} from '@service-link/wrapper-host/packing'
import type { BuildOptions, Metafile } from 'esbuild'
import { PackError } from './pack-plan.ts'

export interface Program {
  /** ES module that the executable begins with; it imports modules of Node only. */
  readonly main: string
  /** Further files in the executable: name → content. */
  readonly assets: Readonly<Record<string, string>>
  /** Licenses of the packages in it. */
  readonly licenses: string
  readonly packages: readonly BundledPackage[]
}

/** Names of the files in which the build of this package leaves the wrapper's program. */
export const programFiles = {
  main: 'main.mjs',
  parts: assetNames.parts,
  licenses: 'licenses.txt',
  packages: 'packages.json',
} as const

/** Loads the wrapper's program as this package was built. From sources it bundles the program. */
export async function loadProgram(): Promise<Program> {
  if (import.meta.filename.endsWith('.ts')) return bundleWrapper()
  const folder = new URL('dist/program/', import.meta.resolve('@service-link/wrapper-pack/package.json'))
  const read = (name: string) => readFile(new URL(name, folder), 'utf8')
  try {
    return {
      main: await read(programFiles.main),
      assets: { [assetNames.parts]: await read(programFiles.parts) },
      licenses: await read(programFiles.licenses),
      packages: JSON.parse(await read(programFiles.packages)),
    }
  } catch {
    throw new PackError('This package has no program to pack. Install it again.')
  }
}

/** Bundles the wrapper's program from the sources of wrapper-host. */
export async function bundleWrapper(): Promise<Program> {
  const host = import.meta.resolve('@service-link/wrapper-host/package.json')
  const source = (name: string) => fileURLToPath(new URL(`src/cli/${name}`, host))
  const [main, parts] = await Promise.all([
    bundle({
      entryPoints: [source('service-webwrapper-packed.ts')],
      format: 'esm',
      plugins: [pureErrors, useNodeModules],
    }),
    bundle({ entryPoints: [source('program-parts.ts')], format: 'cjs', banner: { js: refusePackages } }),
  ])
  return {
    main: main.text,
    assets: { [assetNames.parts]: parts.text },
    licenses: licensesOf([main.metafile, parts.metafile]),
    packages: packagesOf([main.metafile, parts.metafile]),
  }
}

/** Bundles an integrator's module with all that it imports. */
export async function bundleEntry(entry: string): Promise<Program> {
  const banner = { js: refusePackages + requireOfNode + withhold }
  const { text, metafile } = await bundle({ entryPoints: [entry], format: 'esm', banner })
  return { main: text, assets: {}, licenses: licensesOf([metafile]), packages: packagesOf([metafile]) }
}

interface Bundle {
  readonly text: string
  readonly metafile: Metafile
}

async function bundle(options: BuildOptions): Promise<Bundle> {
  const { build, formatMessages } = await loadEsbuild()
  try {
    const { outputFiles, metafile } = await build({
      ...options,
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      target: 'node26',
      conditions: ['@service-link/source', 'module'],
      legalComments: 'none',
      minifyWhitespace: true,
      minifySyntax: true,
      logLevel: 'silent',
      // A packed program has no files beside its packages.
      logOverride: { 'empty-import-meta': 'silent' },
    })
    return { text: outputFiles[0]?.text ?? '', metafile }
  } catch (error) {
    if (!(error instanceof Error && 'errors' in error && Array.isArray(error.errors))) throw error
    const messages = await formatMessages(error.errors, { kind: 'error' })
    throw new PackError(`The program cannot be bundled.\n${messages.join('').trim()}`)
  }
}

async function loadEsbuild(): Promise<typeof import('esbuild')> {
  try {
    return await import('esbuild')
  } catch {
    throw new PackError('Install the package esbuild: it bundles a program of your own.')
  }
}

/** Code before a packed program. See {@link guardModules}. */
const refusePackages = `(${guardModules})(${JSON.stringify(pinsAsset)});`

/** A `require` for packages written as CommonJS. It loads modules of Node only, as {@link refusePackages} does. */
const requireOfNode = [
  'const require=id=>{const found=process.getBuiltinModule(id);if(found)return found;',
  `throw Object.assign(new Error('A packed program has no package '+id+'.'),{code:'MODULE_NOT_FOUND'})};`,
  'require.resolve=id=>(require(id),id);',
].join('')

/** Code before an integrator's program; the wrapper's does the same. */
const withhold = `(${withholdVariables})(${JSON.stringify(withheldVariables)});`

/**
 * Lets a packed program load modules of Node, and files whose digest the executable holds. The packer writes its text in front of the
 * program, so it uses nothing of this module.
 *
 * - Packages: Node would search the folders above the executable, and on Windows every user may make one in the root of the drive.
 * - Files: a provider, and all that it imports, is run as it was packed, wherever the executable lies and whoever may write there.
 * - Compiled code: `NODE_COMPILE_CACHE` names a folder from which Node would take it by a checksum of the text. A remark that nobody can
 *   foresee keeps each checksum from fitting.
 *
 * @param pinsAsset name of the asset with the digests
 */
export function guardModules(pinsAsset: string): void {
  const { isBuiltin, registerHooks } = process.getBuiltinModule('node:module')
  const { isAbsolute } = process.getBuiltinModule('node:path')
  const { createHash, randomUUID } = process.getBuiltinModule('node:crypto')
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { getAsset } = process.getBuiltinModule('node:sea')
  const refusal = (sentence: string, code: string) => Object.assign(new Error(sentence), { code })
  registerHooks({
    resolve(id, context, next) {
      if (isBuiltin(id) || isAbsolute(id) || /^(?:file:|data:|\.\.?(?:[\\/]|$))/.test(id))
        return next(id, context)
      const code = context.conditions.includes('import') ? 'ERR_MODULE_NOT_FOUND' : 'MODULE_NOT_FOUND'
      throw refusal(`A packed program has no package ${id}.`, code)
    },
    load(url, context, next) {
      if (!url.startsWith('file:')) return next(url, context)
      const loaded = next(url, context)
      const source = Buffer.from((loaded.source ?? readFileSync(new URL(url))) as Uint8Array)
      const digest = createHash('sha256').update(source).digest('hex')
      const pins: Readonly<Record<string, string>> = JSON.parse(getAsset(pinsAsset, 'utf8'))
      /**
       * A provider, or a file that it imports, was not packed with the wrapper, or was changed since.
       *
       * @remedy Pack the wrapper again with the file.
       * @retry no
       * @seenBy integrator, administrator
       */
      if (loaded.format === 'addon' || !Object.values(pins).includes(digest))
        throw refusal(
          'A packed program loads the files only that were packed with it.',
          'ERR_MODULE_NOT_PACKED',
        )
      const isScript = loaded.format === 'module' || loaded.format === 'commonjs'
      const remark = isScript ? Buffer.from(`\n//${randomUUID()}`) : Buffer.alloc(0)
      return { ...loaded, source: Buffer.concat([source, remark]), shortCircuit: true }
    },
  })
}
