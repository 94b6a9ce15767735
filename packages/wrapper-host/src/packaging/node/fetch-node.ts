import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { PackError } from '../pack-error.ts'
import { runTool } from '../run-tool.ts'
import { cacheFolder } from './cache-folder.ts'
import { nodePackage } from './node-package.ts'

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
 * A platform's Node: from the user's cache folder, else by npm, which checks that it is what the registry has.
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
  const folder = join(cache, `${found.name}-${version}`)
  const file = join(folder, 'node_modules', found.name, ...found.file.split('/'))
  if (await exists(file)) return file
  options.onProgress(`Fetching Node ${version} for ${platform} …`)
  await mkdir(cache, { recursive: true })
  const temporary = await mkdtemp(join(cache, 'new-'))
  try {
    await install(`${found.name}@${version}`, temporary, options)
    await rm(folder, { recursive: true, force: true })
    // Another packer may have been quicker: then its files are there.
    await rename(temporary, folder).catch(() => undefined)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
  if (await exists(file)) return file
  throw new PackError('node', `The package ${found.name} ${version} has no Node. Name a file with --node.`)
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
