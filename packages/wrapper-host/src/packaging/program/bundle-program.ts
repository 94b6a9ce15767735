import type { BuildOptions } from 'esbuild'
import { PackError } from '../pack-error.ts'
import { collectLicences } from './collect-licences.ts'
import type { Program } from './program.ts'
import { refusePackages } from './refuse-packages.ts'

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
