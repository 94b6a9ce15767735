import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { WindowsProcessOptions } from './wine/start-process.ts'
import { type WindowsMachine, windowsPath } from './wine/windows-machine.ts'

/** The used part of esbuild, which the wrapper's package depends on and this one does not. */
interface Esbuild {
  build(options: object): Promise<unknown>
}

/** CommonJS modules in the bundle load Node's modules by this function. */
const requireBanner =
  "import { createRequire as bundledRequire } from 'node:module'; const require = bundledRequire(import.meta.url);"

/**
 * Bundles a module with its imports from the sources of these packages, for Node for Windows. Wine cannot follow pnpm's
 * links.
 *
 * @param entry absolute path, or file URL, of a TypeScript module; it imports packages by relative paths of their sources
 * @param folder absolute path of the output folder
 * @returns absolute path of the file on the host, `<name of the entry>.mjs`
 * @throws an error of esbuild when an import is not found, or a module does not parse
 */
export async function bundleForWindows(entry: string, folder: string): Promise<string> {
  const path = entry.startsWith('file:') ? fileURLToPath(entry) : entry
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
    external: ['playwright-core', 'systray2', 'esbuild'],
    banner: { js: requireBanner },
    logLevel: 'silent',
  })
  return file
}

/**
 * Runs a module in Node for Windows, bundled. It writes JSON to its standard output, and nothing to its standard error.
 *
 * @param module as for {@link bundleForWindows}
 * @param folder absolute path of a folder for the bundle
 * @param args of the program; absolute paths of the host begin with a slash
 * @returns the value of its output
 */
export async function runInWindows<Result>(
  windows: WindowsMachine,
  module: string,
  folder: string,
  args: readonly string[] = [],
  options: WindowsProcessOptions = {},
): Promise<Result> {
  const paths = [await bundleForWindows(module, folder), ...args].map(argument =>
    argument.startsWith('/') ? windowsPath(argument) : argument,
  )
  const { exitCode, stdout, stderr } = await windows.run(windows.node, paths, options)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout)
}
