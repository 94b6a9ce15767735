import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import type { Program } from '../bundle-program.ts'
import { PackError } from '../pack-plan.ts'
import { runTool } from '../run-tool.ts'

const buildTimeoutMs = 300_000

interface BuildExecutableOptions {
  readonly program: Program
  readonly isForWindows: boolean
  /** Further assets: name → content. */
  readonly assets: Readonly<Record<string, string | Uint8Array>>
  /** The platform's Node, absolute path. */
  readonly node: string
  /** This machine's Node of the same version, absolute path: it writes the program into the other. */
  readonly builder: string
  /** File to be made, absolute path. */
  readonly output: string
  /** Empty folder for temporary files, absolute path. */
  readonly workFolder: string
  readonly signal?: AbortSignal | undefined
}

/** Makes a single-executable application of a program and a Node. */
export async function buildExecutable(options: BuildExecutableOptions): Promise<void> {
  const { program, isForWindows, workFolder, output, builder, signal } = options
  // The executable holds this path, so it names no folder of this machine.
  const main = 'main.mjs'
  const assetFolder = join(workFolder, 'assets')
  await mkdir(assetFolder)
  await writeFile(join(workFolder, main), refuseConfiguration + program.main)
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
    // Node refuses a code cache of another platform, and that is slower than none.
    useCodeCache: false,
    execArgv: nodeOptions(isForWindows),
    // No variable of the environment adds options.
    execArgvExtension: 'none',
    assets,
  }
  const config = join(workFolder, 'sea.json')
  await writeFile(config, JSON.stringify(settings))
  const end = await runTool(builder, ['--build-sea', config], {
    timeoutMs: buildTimeoutMs,
    signal,
    environment: withoutNodeOptions(process.env),
    workingDirectory: workFolder,
  })
  if (end.exitCode !== 0)
    throw new PackError(
      `Node could not make the executable: ${end.startProblem ?? (end.output.trim() || 'it was ended')}`,
    )
  await chmod(output, 0o755)
}

/**
 * Node reads a configuration file that any argument of the program names, and it can restrict the program. Node has no option
 * against that, so the program ends first.
 */
const refuseConfiguration = [
  'if(process.argv.some(text=>/^--experimental-(default-)?config-file(=|$)/.test(text))){',
  `process.stderr.write('A configuration file of Node is not accepted: leave the option out. (ERR_ARGS)\\n${docsUrlOf('ERR_ARGS')}\\n');process.exit(2)}\n`,
].join('')

function nodeOptions(isForWindows: boolean): readonly string[] {
  return [
    // Hospitals have certificates of their own in the system.
    '--use-system-ca',
    // An empty configuration of OpenSSL. One from the environment could load any library.
    `--openssl-config=${isForWindows ? 'NUL' : '/dev/null'}`,
    // A signal would open a debugger, to which each user of the machine may connect.
    '--disable-sigusr1',
    // Users cannot act on warnings about experimental parts of Node.
    '--disable-warning=ExperimentalWarning',
    // Keeps Node from taking the program's arguments as its own.
    '--',
  ]
}

/** Options of this process are not for other processes. */
function withoutNodeOptions(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => name.toUpperCase() !== 'NODE_OPTIONS'),
  )
}

const startTimeoutMs = 120_000

/** Checks that a new executable starts. */
export async function checkExecutable(file: string, help: string, signal?: AbortSignal): Promise<void> {
  const environment = withoutNodeOptions(process.env)
  const end = await runTool(file, ['--help'], { timeoutMs: startTimeoutMs, signal, environment })
  if (end.exitCode !== 0 || end.stdout !== help)
    throw new PackError(
      `The new executable does not answer ${basename(file)} --help as it should (exit code ${end.exitCode ?? 'none'}). It was removed.`,
    )
}
