import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Options } from 'tsup'

/**
 * Bundles a module with everything that it imports, for a runtime without packages.
 *
 * @param entry file URL of the module
 * @returns the text of the bundled module
 * @throws when an import is missing in such a runtime, such as a module of Node
 */
export async function bundle(entry: URL, options: Options = {}): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'bundle-'))
  try {
    await build({
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      noExternal: [/./],
      splitting: false,
      ...options,
      entry: { bundle: fileURLToPath(entry) },
      config: false,
      dts: false,
      sourcemap: false,
      clean: false,
      silent: true,
      outDir,
      esbuildOptions(esbuild) {
        esbuild.conditions = ['@service-link/source', 'module', 'import', 'default']
      },
    })
    return await readFile(join(outDir, 'bundle.js'), 'utf8')
  } finally {
    await rm(outDir, { recursive: true })
  }
}
