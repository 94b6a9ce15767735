import { fileURLToPath } from 'node:url'
import { assetNames } from './asset-names.ts'
import { bundle, bundleOptions } from './bundle-program.ts'
import { collectLicences } from './collect-licences.ts'
import type { Program } from './program.ts'
import { takeNodeModules } from './take-node-modules.ts'

/**
 * Makes the wrapper's own program, of the sources of this package.
 *
 * @throws {PackError} when esbuild is not installed
 */
export async function bundleWrapper(): Promise<Program> {
  const source = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const [main, commands] = await Promise.all([
    bundle({ ...bundleOptions, entryPoints: [source('main.ts')], format: 'esm', plugins: [takeNodeModules] }),
    bundle({ ...bundleOptions, entryPoints: [source('../../cli/commands.ts')], format: 'cjs' }),
  ])
  return {
    main: main.text,
    assets: { [assetNames.commands]: commands.text },
    licences: await collectLicences([...main.inputs, ...commands.inputs]),
  }
}
