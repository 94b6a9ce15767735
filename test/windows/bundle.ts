import { createRequire } from 'node:module'
import { basename, join } from 'node:path'

/** What of esbuild is used here: the package of the wrapper has it, this one not. */
interface Esbuild {
  build(options: object): Promise<unknown>
}

/** Modules of the old kind that end up in the bundle ask for Node's own by this. */
const requireBanner =
  "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);"

/**
 * Makes one file of a module, with all that it imports from the sources of these packages, for Node for Windows: what pnpm links
 * together is no tree of modules under Wine.
 *
 * @param entry absolute path, or file URL, of a TypeScript module; it imports packages by relative paths of their sources
 * @param folder absolute path of the folder that the file is written to
 * @returns absolute path of the file on the host, `<name of the entry>.mjs`
 * @throws an error of esbuild when something that is imported is not found, or does not parse
 */
export async function bundleForWindows(entry: string, folder: string): Promise<string> {
  const path = entry.startsWith('file:') ? new URL(entry).pathname : entry
  const wrapperHost = new URL('../../packages/wrapper-host/package.json', import.meta.url)
  const { build } = createRequire(wrapperHost)('esbuild') as Esbuild
  const file = join(folder, `${basename(path).replace(/\.[cm]?[jt]s$/, '')}.mjs`)
  await build({
    entryPoints: [path],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: ['@service-link/source'],
    external: ['electron', 'playwright-core', 'systray2', 'esbuild'],
    banner: { js: requireBanner },
    logLevel: 'silent',
  })
  return file
}
