import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'

const serviceFolder = join(import.meta.dirname, '..', '..')
const builder = join(import.meta.dirname, 'run-vite.ts')

/** Pages that are built together. */
export interface PagesBuild {
  readonly name: string
  /** Folder of the app, a package of this workspace. The built pages go into its `.data/<name>`. */
  readonly app: string
  /** The app's folders with the pages and their sources, each with its pages' HTML at its top. */
  readonly roots: readonly string[]
}

/** The web apps of employees and of patients. */
export const webApp: PagesBuild = { name: 'web-app', app: serviceFolder, roots: ['src/web', 'src/my'] }

/** What every build depends on. */
const common = [
  builder,
  ...[
    'internal/ui/src',
    'packages/protocol-core/src',
    'packages/jwt-payload/src',
    'packages/wrapper-host/src/web-app/page',
  ].map(folder => join(serviceFolder, '..', '..', folder)),
]

/** Builds pages. The folder of a build is named by a digest of its sources and used again. */
export async function buildPages({ name, app, roots }: PagesBuild): Promise<string> {
  const cacheFolder = join(app, '.data', name)
  const sources = roots.map(root => join(app, root))
  const folder = join(cacheFolder, await digestOf([join(app, 'package.json'), ...common, ...sources]))
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  await mkdir(cacheFolder, { recursive: true })
  try {
    await runBuilder(app, unfinished, sources)
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another process may have built the same meanwhile.
    if (!existsSync(folder)) throw error
  }
  await dropOldBuilds(cacheFolder, basename(folder))
  return folder
}

/** Builds in a separate process, because the builder needs its own NODE_ENV and much memory. */
async function runBuilder(app: string, folder: string, roots: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, ['-C', '@service-link/source', builder, folder, ...roots], {
    cwd: app,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (child.exitCode !== 0) throw new Error(`The pages do not build:\n${output}${errors}`)
}

async function digestOf(paths: readonly string[]): Promise<string> {
  const digest = createHash('sha256')
  for (const path of paths) {
    for (const file of await filesBelow(path))
      digest.update(`${relative(serviceFolder, file)}\0`).update(await readFile(file))
  }
  return digest.digest('hex').slice(0, 16)
}

async function filesBelow(path: string): Promise<string[]> {
  if (basename(path).includes('.')) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/** Removes builds older than a week. A running process may still serve a younger one. */
async function dropOldBuilds(cacheFolder: string, current: string): Promise<void> {
  const oldest = Date.now() - 7 * 24 * 60 * 60 * 1000
  for (const name of await readdir(cacheFolder)) {
    const folder = join(cacheFolder, name)
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }))
    if (name !== current && mtimeMs < oldest) await rm(folder, { recursive: true, force: true })
  }
}
