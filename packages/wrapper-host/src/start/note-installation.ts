import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname, join, win32 } from 'node:path'
import { isSea } from 'node:sea'
import { promisify } from 'node:util'
import { type Brand, type Installation, installFileName } from '@service-link/protocol-core'
import { systemProgram } from '@service-link/protocol-core/brand'
import { replaceFile } from '../files/whole-file.ts'
import type { ReportEvent } from '../log/events.ts'
import { failureReason } from '../log/failure-reason.ts'

interface InstallationFacts {
  readonly brand: Brand
  readonly version: string
  /** Command of the program: absolute path of its executable, then arguments before those of a launch. The last part is a file in the wrapper's folder. */
  readonly command: readonly string[]
  readonly userFolder: string
}

/** Notes where this wrapper is. A failure becomes an event. */
export function noteAside(installation: InstallationFacts, report: ReportEvent): Promise<void> {
  return noteInstallation(installation).catch(error =>
    report({ type: 'installation-unnoted', reason: failureReason(error) }),
  )
}

/**
 * Notes where this wrapper is, for programs that start it (spec 4.2): in `install.json` of the per-user folder, and in the
 * registry of Windows.
 */
export async function noteInstallation(
  { brand, version, command, userFolder }: InstallationFacts,
  noteMore = noteInRegistry,
): Promise<void> {
  const installation: Installation = { path: dirname(command.at(-1) ?? ''), version, command: [...command] }
  await replaceFile(join(userFolder, installFileName), `${JSON.stringify(installation, null, 2)}\n`)
  await noteMore(brand, installation)
}

/** Longest wait for one run of `reg.exe`, in milliseconds. It usually takes a few dozen. */
const registryTimeoutMs = 10_000

/** Writes the values in the current user's registry of Windows by which partners find the executable (spec 4.2). */
export async function noteInRegistry(brand: Brand, installation: Installation): Promise<void> {
  if (process.platform !== 'win32') return
  for (const argv of registryArguments(brand, installation))
    if (!(await runRegistry(argv))) throw registryError()
}

/** Removes the values of {@link noteInstallation} from the registry of Windows. */
export async function forgetRegistry(brand: Brand): Promise<void> {
  if (process.platform !== 'win32') return
  const key = `HKCU\\${brand.registryKey}`
  for (const value of ['path', 'version']) {
    const at = [key, '/v', value]
    // Removing a missing value fails.
    if (!(await runRegistry(['delete', ...at, '/f'])) && (await runRegistry(['query', ...at])))
      throw registryError()
  }
}

/** @returns whether it succeeded. Its output and Node's error hold the path and are not repeated */
async function runRegistry(argv: readonly string[]): Promise<boolean> {
  return promisify(execFile)(systemProgram('reg.exe'), argv, {
    windowsHide: true,
    timeout: registryTimeoutMs,
  }).then(
    () => true,
    () => false,
  )
}

function registryError(): Error {
  return Object.assign(new Error('The registry was not written.'), { code: 'registry' })
}

/**
 * Lists the arguments of `reg.exe`, one run a value. The version comes first: a reader between both runs finds the old folder,
 * never a new folder with the old version. Empty if the executable does not have the brand's name, by which partners start
 * it.
 */
export function registryArguments(brand: Brand, { path, version, command }: Installation): string[][] {
  const [executable = '', ...others] = command
  const isInstalled =
    others.length === 0 && win32.basename(executable).toLowerCase() === brand.executable.toLowerCase()
  if (!isInstalled) return []
  const key = `HKCU\\${brand.registryKey}`
  return [
    ['add', key, '/v', 'version', '/t', 'REG_SZ', '/d', version, '/f'],
    ['add', key, '/v', 'path', '/t', 'REG_SZ', '/d', path, '/f'],
  ]
}

interface ProcessFacts {
  /** Absolute path of the executable. */
  readonly execPath: string
  /** Options of Node that came before the script. */
  readonly execArgv: readonly string[]
  /** Absolute path of the script. A single executable has none. */
  readonly script: string | undefined
}

/** Options of Node that the program needs: which sources it loads and which certificates it trusts. */
const keptOptions = new Set(['--use-system-ca', '--use-openssl-ca', '--use-bundled-ca'])
const keptOptionsWithValue = new Set(['-C', '--conditions'])

/**
 * Makes the command that starts a process's program again, without the arguments of a launch. Leaves out options for a single run,
 * such as a debugger's.
 */
export function ownCommand({ execPath, execArgv, script }: ProcessFacts): readonly string[] {
  return script === undefined ? [execPath] : [execPath, ...keptOf(execArgv), script]
}

/** Reads the facts of this process. Returns nothing when no command starts its program: standard input has it. */
export function processFacts(): ProcessFacts | undefined {
  const { execPath, execArgv, argv } = process
  if (isSea()) return { execPath, execArgv, script: undefined }
  const script = realScript(argv[1])
  return script === undefined ? undefined : { execPath, execArgv, script }
}

/** Resolves the link by which a package's program starts. Another version may replace the link. */
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
