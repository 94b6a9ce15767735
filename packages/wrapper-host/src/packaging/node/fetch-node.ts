import { access, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { failureReason } from '../../log/failure-reason.ts'
import { PackError } from '../pack-error.ts'
import { runTool } from '../run-tool.ts'
import { cacheFolder } from './cache-folder.ts'
import { checkDigest, checkFolder } from './check-fetched.ts'
import { nodeDigests } from './node-digests.ts'
import { nodePackage } from './node-package.ts'
import { publishFolder } from './publish-folder.ts'

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
