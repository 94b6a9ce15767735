import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PackError } from '../pack-plan.ts'
import type { Program } from '../program/bundle-program.ts'
import { runTool } from '../run-tool.ts'
import { writeChecksum } from './windows-executable.ts'

const buildTimeoutMs = 300_000

/** What {@link buildExecutable} puts together. */
export interface BuildExecutableOptions {
  readonly program: Program
  readonly isForWindows: boolean
  /** What the executable holds beside the program: name → content. */
  readonly assets: Readonly<Record<string, string | Uint8Array>>
  /** The platform's Node, absolute path. */
  readonly node: string
  /** This machine's Node of the same version, absolute path: it writes the program into the other. */
  readonly builder: string
  /** File that is made, absolute path. */
  readonly output: string
  /** Empty folder for what lies between, absolute path. */
  readonly workFolder: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Puts a program into a Node: a single-executable application.
 *
 * @throws {PackError} `executable`
 */
export async function buildExecutable(options: BuildExecutableOptions): Promise<void> {
  const { program, isForWindows, workFolder, output, builder, signal } = options
  const main = join(workFolder, 'main.mjs')
  const assetFolder = join(workFolder, 'assets')
  await mkdir(assetFolder)
  await writeFile(main, refuseConfiguration + program.main)
  const assets: Record<string, string> = {}
  for (const [name, content] of Object.entries({ ...program.assets, ...options.assets })) {
    assets[name] = join(assetFolder, name)
    await writeFile(assets[name], content)
  }
  const settings = {
    main,
    mainFormat: 'module',
    executable: options.node,
    output,
    disableExperimentalSEAWarning: true,
    // One that was made on another platform is refused, and slower than none.
    useCodeCache: false,
    execArgv: nodeOptions(isForWindows),
    // Nobody adds to them by a variable of the environment.
    execArgvExtension: 'none',
    assets,
  }
  const config = join(workFolder, 'sea.json')
  await writeFile(config, JSON.stringify(settings))
  const end = await runTool(builder, ['--build-sea', config], {
    timeoutMs: buildTimeoutMs,
    signal,
    environment: withoutNodeOptions(process.env),
  })
  if (end.exitCode !== 0)
    throw new PackError(
      'executable',
      `Node could not make the executable: ${end.startProblem ?? (end.output.trim() || 'it was ended')}`,
    )
  if (isForWindows) await writeChecksum(output)
  await chmod(output, 0o755)
}

/**
 * Node reads a configuration file that one of the program's own arguments names, wherever it stands, and can restrict what the
 * program may do by it. Nothing keeps Node from that, so the program ends before it does anything.
 */
const refuseConfiguration = [
  'if(process.argv.some(text=>/^--experimental-(default-)?config-file(=|$)/.test(text))){',
  "process.stderr.write('A configuration file of Node is not accepted: leave the option out. (ERR_ARGS)\\n');process.exit(2)}\n",
].join('')

/** Options of Node that each packed program has. */
function nodeOptions(isForWindows: boolean): readonly string[] {
  return [
    // The certificates of the system: hospitals have their own.
    '--use-system-ca',
    // An empty configuration of OpenSSL: one that a variable of the environment names can have it load any library.
    `--openssl-config=${isForWindows ? 'NUL' : '/dev/null'}`,
    // What Node calls experimental of itself is nothing for its users to act on.
    '--disable-warning=ExperimentalWarning',
    // Else Node would look for files of its environment among the program's own arguments.
    '--',
  ]
}

/** What this process was started with is not meant for others. */
export function withoutNodeOptions(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => name.toUpperCase() !== 'NODE_OPTIONS'),
  )
}
