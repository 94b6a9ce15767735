import { realpathSync } from 'node:fs'
import { isSea } from 'node:sea'

/** What is looked at of a process. */
export interface ProcessFacts {
  /** Absolute path of the executable. */
  readonly execPath: string
  /** Options of Node that came before the script. */
  readonly execArgv: readonly string[]
  /** Absolute path of the script; nothing in a single executable application, which has none. */
  readonly script: string | undefined
}

/** Options of Node that the program would be another without: which sources it loads, whom it trusts in the network. */
const keptOptions = new Set(['--use-system-ca', '--use-openssl-ca', '--use-bundled-ca'])
const keptOptionsWithValue = new Set(['-C', '--conditions'])

/**
 * What starts the program of a process once more, before the arguments of a launch. Options that were meant for one run, such as a
 * debugger's, are not among it.
 */
export function ownCommand({ execPath, execArgv, script }: ProcessFacts): readonly string[] {
  return script === undefined ? [execPath] : [execPath, ...keptOf(execArgv), script]
}

/**
 * The facts of this process.
 *
 * @returns nothing when no command starts its program: it is read from standard input, or Electron's executable runs it, which
 *   takes a script only with a variable of the environment
 */
export function processFacts(): ProcessFacts | undefined {
  const { execPath, execArgv, argv, versions } = process
  if (versions.electron !== undefined) return undefined
  if (isSea()) return { execPath, execArgv, script: undefined }
  const script = realScript(argv[1])
  return script === undefined ? undefined : { execPath, execArgv, script }
}

/** A package's program is started by a link, which another version may take over. */
function realScript(file: string | undefined): string | undefined {
  try {
    return file === undefined ? undefined : realpathSync(file)
  } catch {
    return undefined
  }
}

function keptOf(options: readonly string[]): string[] {
  return options.flatMap((option, index) => {
    const [name = '', value] = option.split('=', 2)
    if (keptOptions.has(option) || (value !== undefined && keptOptionsWithValue.has(name))) return [option]
    const next = options[index + 1]
    return keptOptionsWithValue.has(option) && next !== undefined ? [option, next] : []
  })
}
