import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { takeNodeModules } from '@service-link/command-line/build'
import { assetNames } from '@service-link/wrapper-host/packing'
import { PackError } from '../pack-plan.ts'
import { bundle, bundleOptions, collectLicences, type Program, refusePackages } from './bundle-program.ts'

/** Names of the files in which the build of this package leaves the wrapper's own program. */
export const programFiles = {
  main: 'main.mjs',
  commands: assetNames.commands,
  licences: 'licences.txt',
} as const

/**
 * The wrapper's own program, as this package was built; of sources that run as they are, it is made now.
 *
 * @throws {PackError} when it is not there
 */
export async function loadProgram(): Promise<Program> {
  if (import.meta.filename.endsWith('.ts')) return bundleWrapper()
  const folder = new URL('dist/program/', import.meta.resolve('@service-link/wrapper-pack/package.json'))
  const read = (name: string) => readFile(new URL(name, folder), 'utf8')
  try {
    return {
      main: await read(programFiles.main),
      assets: { [assetNames.commands]: await read(programFiles.commands) },
      licences: await read(programFiles.licences),
    }
  } catch {
    throw new PackError('program', 'This package has no program to pack. Install it anew.')
  }
}

/**
 * Makes the wrapper's own program, of the sources of this package.
 *
 * @throws {PackError} when esbuild is not installed
 */
export async function bundleWrapper(): Promise<Program> {
  const host = import.meta.resolve('@service-link/wrapper-host/package.json')
  const source = (name: string) => fileURLToPath(new URL(`src/cli/${name}`, host))
  const [main, commands] = await Promise.all([
    bundle({
      ...bundleOptions,
      entryPoints: [source('service-webwrapper-packed.ts')],
      format: 'esm',
      plugins: [takeNodeModules],
    }),
    bundle({
      ...bundleOptions,
      entryPoints: [source('commands.ts')],
      format: 'cjs',
      banner: { js: refusePackages },
    }),
  ])
  return {
    main: main.text,
    assets: { [assetNames.commands]: commands.text },
    licences: await collectLicences([...main.inputs, ...commands.inputs]),
  }
}
