import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { PackError } from '../pack-plan.ts'

/** What all programs have in common. */
export const bundleOptions = {
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
  // What is looked for beside a package's file is not looked for in a packed program.
  logOverride: { 'empty-import-meta': 'silent' },
} as const satisfies BuildOptions

/** For packages that were written as CommonJS: it gives modules of Node only, as {@link refusePackages} does. */
const requireOfNode = [
  'const require=id=>{const found=process.getBuiltinModule(id);if(found)return found;',
  `throw Object.assign(new Error('A packed program has no package '+id+'.'),{code:'MODULE_NOT_FOUND'})};`,
  'require.resolve=id=>(require(id),id);',
].join('')

/** A variable of the environment would have Node believe every server. */
const believeNobody = 'delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;'

/**
 * Makes a program of an integrator's own module, with all that it imports.
 *
 * @param entry absolute path of the module
 * @throws {PackError} when esbuild is not installed, or the module cannot be bundled
 */
export async function bundleEntry(entry: string): Promise<Program> {
  const banner = { js: refusePackages + requireOfNode + believeNobody }
  const main = await bundle({ ...bundleOptions, entryPoints: [entry], format: 'esm', banner })
  return { main: main.text, assets: {}, licences: await collectLicences(main.inputs) }
}

/** A module with all that it imports. */
export interface Bundle {
  readonly text: string
  /** Paths of the files that it is made of. */
  readonly inputs: readonly string[]
}

/**
 * Bundles one module.
 *
 * @throws {PackError} when esbuild is not installed, or the module cannot be bundled
 */
export async function bundle(options: BuildOptions): Promise<Bundle> {
  const { build, formatMessages } = await loadEsbuild()
  try {
    const { outputFiles = [], metafile } = await build(options)
    return {
      text: outputFiles[0]?.text ?? '',
      inputs: Object.keys(metafile?.inputs ?? {}).filter(name => !name.startsWith('node:')),
    }
  } catch (error) {
    if (!(error instanceof Error && 'errors' in error && Array.isArray(error.errors))) throw error
    const messages = await formatMessages(error.errors, { kind: 'error', color: false })
    throw new PackError('program', `The program cannot be bundled.\n${messages.join('').trim()}`)
  }
}

async function loadEsbuild(): Promise<typeof import('esbuild')> {
  try {
    return await import('esbuild')
  } catch {
    throw new PackError(
      'program',
      'The package esbuild bundles an own program, and is not installed. Install it.',
    )
  }
}

/** A program for an executable. */
export interface Program {
  /** ES module that the executable begins with; it imports modules of Node only. */
  readonly main: string
  /** What else the executable holds for it: name → content. */
  readonly assets: Readonly<Record<string, string>>
  /** Licences of the packages that it is made of. */
  readonly licences: string
}

/**
 * Text that goes before a packed program: from then on no module is taken of a package that is not in it, however it is asked for. Node would
 * look for one in the folders above the executable, and on Windows every user may make such a folder in that of the drive. Modules of
 * Node, and files that are named by their place, such as integrators' providers, are loaded as ever.
 */
export const refusePackages = [
  "{const{isBuiltin,registerHooks}=process.getBuiltinModule('node:module');",
  "const{isAbsolute}=process.getBuiltinModule('node:path');",
  'registerHooks({resolve(id,context,next){',
  'if(isBuiltin(id)||isAbsolute(id)||/^(?:file:|data:|\\.\\.?(?:[\\/\\\\]|$))/.test(id))return next(id,context);',
  "const code=context.conditions.includes('import')?'ERR_MODULE_NOT_FOUND':'MODULE_NOT_FOUND';",
  "throw Object.assign(new Error('A packed program has no package '+id+'.'),{code})}})}",
].join('')

interface PackageLicence {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly text: string | undefined
}

/**
 * Gathers the licences of the packages that files come from.
 *
 * @param files of a bundle
 * @returns a text with each package's name, version, licence, and the words of its licence file where it has one
 */
export async function collectLicences(files: readonly string[]): Promise<string> {
  const roots = new Map<string, PackageLicence | undefined>()
  for (const file of files) await findPackage(dirname(resolve(file)), roots)
  const found = new Map(
    [...roots.values()].flatMap(each => (each ? [[`${each.name} ${each.version}`, each]] : [])),
  )
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, { licence, text }]) =>
      [`${title} (${licence})`, ...(text ? ['', text.trim()] : []), ''].join('\n'),
    )
    .join(`\n${'-'.repeat(78)}\n\n`)
}

/** The package of a folder: the nearest manifest above it that names one. */
async function findPackage(
  folder: string,
  known: Map<string, PackageLicence | undefined>,
): Promise<PackageLicence | undefined> {
  if (known.has(folder)) return known.get(folder)
  const parent = dirname(folder)
  const found =
    (await readPackage(folder)) ?? (parent === folder ? undefined : await findPackage(parent, known))
  known.set(folder, found)
  return found
}

async function readPackage(folder: string): Promise<PackageLicence | undefined> {
  const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined)
  if (manifest === undefined) return undefined
  const { name, version, license } = JSON.parse(manifest)
  if (typeof name !== 'string' || typeof version !== 'string') return undefined
  const file = (await readdir(folder)).find(each => /^licen[cs]e(\.(md|txt))?$/i.test(each))
  const text = file === undefined ? undefined : await readFile(join(folder, file), 'utf8')
  return { name, version, licence: typeof license === 'string' ? license : 'see its package', text }
}
