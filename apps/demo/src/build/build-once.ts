import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const demoFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** What is built for pages. */
export interface PageBuild {
  /** Names the folder of its builds. */
  readonly name: string
  /** Program that writes a build into the folder that is its argument. */
  readonly program: string
  /** Files and folders that it is made of. */
  readonly sources: readonly string[]
  /** A file that every build of it has. */
  readonly result: string
}

/**
 * Builds what pages load, unless the very same sources were built before: builds are kept under a digest of their sources.
 *
 * @returns the folder of the build
 * @throws {Error} with the builder's output when the sources do not build
 */
export async function buildOnce({ name, program, sources, result }: PageBuild): Promise<string> {
  const cacheFolder = join(demoFolder, '.data', name)
  const digest = await digestOf([...sources, program, join(demoFolder, 'package.json')])
  const folder = join(cacheFolder, digest)
  if (existsSync(join(folder, result))) return folder
  const unfinished = `${folder}.${process.pid}`
  await mkdir(cacheFolder, { recursive: true })
  try {
    await runBuilder(program, unfinished)
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another process may have built the same meanwhile.
    if (!existsSync(join(folder, result))) throw error
  }
  await dropOldBuilds(cacheFolder, basename(folder))
  return folder
}

/** A process of its own: the builder wants NODE_ENV, and its memory is given back. */
async function runBuilder(program: string, folder: string): Promise<void> {
  const builder = spawn(process.execPath, ['-C', '@service-link/source', program, folder], {
    cwd: demoFolder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [builder.stdout, builder.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const [code] = await once(builder, 'close')
  if (code !== 0) throw new Error(`The pages do not build:\n${output}`)
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

/** Drops builds and unfinished ones of more than a week ago; a younger one may be served by a process that runs. */
async function dropOldBuilds(cacheFolder: string, current: string): Promise<void> {
  const oldest = Date.now() - 7 * 24 * 60 * 60 * 1000
  for (const name of await readdir(cacheFolder)) {
    const folder = join(cacheFolder, name)
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }))
    if (name !== current && mtimeMs < oldest) await rm(folder, { recursive: true, force: true })
  }
}
