import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hastyFlags } from '../../../internal/test-kit/src/hasty-launcher.ts'
import { compileLauncher } from '../../../packages/wrapper-pack/src/executable/launcher.ts'
import { packTargets } from '../../../packages/wrapper-pack/src/pack-plan.ts'

/** Longest wait for the registry, in milliseconds. */
const installTimeoutMs = 300_000

/**
 * Makes a folder with the sources and the Windows builds of their dependencies. Keeps installed ones.
 *
 * @param folder absolute path
 */
export async function prepareSuites(folder: string): Promise<void> {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  await mkdir(folder, { recursive: true })
  await Promise.all([copySources(root, folder), install(root, folder), compileLaunchers(folder)])
}

/** There is no compiler inside Wine. */
async function compileLaunchers(folder: string): Promise<void> {
  const compile = (name: string, flags: readonly string[]) =>
    compileLauncher(packTargets['win-x64'], join(folder, name), flags)
  await Promise.all([compile('launcher.exe', []), compile('hasty-launcher.exe', hastyFlags)])
}

async function install(root: string, folder: string): Promise<void> {
  const dependencies = await installedVersions(root)
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies }, undefined, 2)
  const mark = join(folder, 'installed.json')
  if ((await readFile(mark, 'utf8').catch(() => '')) === manifest) return
  await writeFile(join(folder, 'package.json'), manifest)
  const argv = ['install', '--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', [...argv, '--no-package-lock'], {
    cwd: folder,
    timeout: installTimeoutMs,
  })
  await writeFile(mark, manifest)
}

/** Folders that the packages' tests read, including `packages` with its tests. */
const sources = ['packages', 'internal', 'conformance', 'docs', join('test', 'windows', 'suites')]

/** Build output and installed files are no sources. */
const notSources = new Set(['node_modules', 'dist', '.turbo'])

/**
 * Copies the sources of the repository, because Wine shows pnpm's links as separate folders. Removes an earlier copy
 * first.
 *
 * @param root absolute path of the repository
 * @param folder absolute path
 */
async function copySources(root: string, folder: string): Promise<void> {
  for (const source of sources) {
    await rm(join(folder, source), { recursive: true, force: true })
    await cp(join(root, source), join(folder, source), {
      recursive: true,
      filter: file => !notSources.has(basename(file)),
    })
  }
  await cp(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
}

/**
 * The dependencies of the packages, in the versions installed in the workspace, and the test runner.
 *
 * @param root absolute path of the repository
 * @returns name → version, as in a manifest
 */
async function installedVersions(root: string): Promise<Readonly<Record<string, string>>> {
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
