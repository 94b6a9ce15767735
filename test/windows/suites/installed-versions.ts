import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * The dependencies of the packages, in the versions installed in the workspace, and the test runner.
 *
 * @param root absolute path of the repository
 * @returns name → version, as in a manifest
 */
export async function installedVersions(root: string): Promise<Readonly<Record<string, string>>> {
  const versions: Record<string, string> = {}
  const add = async (folder: string, names: readonly string[]) => {
    for (const name of names) {
      if (name.startsWith('@service-link/')) continue
      const installed = await readManifest(join(folder, 'node_modules', name))
      versions[name] =
        installed.name === name ? installed.version : `npm:${installed.name}@${installed.version}`
    }
  }
  await add(root, ['vitest', 'fast-check'])
  for (const manifest of globSync('{packages,internal}/*/package.json', { cwd: root })) {
    const folder = join(root, dirname(manifest))
    const { dependencies, devDependencies, optionalDependencies } = await readManifest(folder)
    await add(folder, Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }))
  }
  return versions
}

interface Manifest {
  /** Another one than the folder's, where a package is installed under an alias. */
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}
