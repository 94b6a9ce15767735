import { readFile } from 'node:fs/promises'
import { PackError } from '../pack-error.ts'
import { assetNames } from './asset-names.ts'
import type { Program } from './program.ts'

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
  if (import.meta.filename.endsWith('.ts')) return (await import('./bundle-wrapper.ts')).bundleWrapper()
  const folder = new URL(
    'dist/packaging/program/',
    import.meta.resolve('@service-link/wrapper-host/package.json'),
  )
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
