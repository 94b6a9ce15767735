import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'

const demoFolder = join(import.meta.dirname, '..', '..')
const builder = join(import.meta.dirname, 'run-vite.ts')

/** The builds by name: folders of the demo that they are built of. */
const builds = { 'web-app': ['web'], partner: ['partner', 'web'], home: ['home', 'web'] }

/** What every build depends on. */
const common = [
  builder,
  join(demoFolder, 'package.json'),
  ...['protocol-core/src', 'jwt-payload/src', 'wrapper-host/src/web-app/page'].map(folder =>
    join(demoFolder, '..', '..', 'packages', folder),
  ),
]

/**
 * Builds the web app, the partner application's pages, or the home's. The folder of a build is named by a digest of
 * its sources and used again.
 */
export async function buildPages(name: keyof typeof builds): Promise<string> {
  const cacheFolder = join(demoFolder, '.data', name)
  const sources = builds[name].map(part => join(demoFolder, 'src', part))
  const folder = join(cacheFolder, await digestOf([...common, ...sources]))
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  await mkdir(cacheFolder, { recursive: true })
  try {
    await runBuilder(name, unfinished)
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
async function runBuilder(name: string, folder: string): Promise<void> {
  const child = spawn(process.execPath, ['-C', '@service-link/source', builder, name, folder], {
    cwd: demoFolder,
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
      digest.update(`${file.slice(demoFolder.length)}\0`).update(await readFile(file))
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
