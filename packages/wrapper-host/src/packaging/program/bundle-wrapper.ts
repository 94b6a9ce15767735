import { fileURLToPath } from 'node:url'
import { assetNames } from './asset-names.ts'
import { bundle, bundleOptions } from './bundle-program.ts'
import { collectLicences } from './collect-licences.ts'
import type { Program } from './program.ts'
import { refusePackages } from './refuse-packages.ts'
import { takeNodeModules } from './take-node-modules.ts'

/**
 * Makes the wrapper's own program, of the sources of this package.
 *
 * @throws {PackError} when esbuild is not installed
 */
export async function bundleWrapper(): Promise<Program> {
  const source = (name: string) => fileURLToPath(new URL(`../../cli/${name}`, import.meta.url))
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
