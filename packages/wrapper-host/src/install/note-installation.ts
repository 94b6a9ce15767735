import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname, join, win32 } from 'node:path'
import { isSea } from 'node:sea'
import { promisify } from 'node:util'
import { type Brand, type InstallRecord, installFileName } from '@service-link/protocol-core'
import { systemProgram } from '@service-link/protocol-core/brand'
import { replaceFile } from '../files/replace-file.ts'
import type { ReportEvent } from '../log/events.ts'
import { failureReason } from '../log/failure-reason.ts'

/** What {@link noteInstallation} notes. */
export interface Installation {
  readonly brand: Brand
  readonly version: string
  /** What starts the program: absolute path of its executable, then arguments before those of a launch. Its last part lies in the folder of the wrapper. */
  readonly command: readonly string[]
  readonly userFolder: string
}

/**
 * Notes where this wrapper is beside its other work. A failure becomes an event.
 *
 * @returns waits for the note when the wrapper ends
 */
export function noteAside(installation: Installation, report: ReportEvent): AsyncDisposable {
  const noted = noteInstallation(installation).catch(error =>
    report({ type: 'installation-unnoted', reason: failureReason(error) }),
  )
  return { [Symbol.asyncDispose]: () => noted }
}

/**
 * Notes where this wrapper is, for programs that start it (specification 4.2): in the file `install.json` of the per-user folder, and
 * on Windows in the registry.
 *
 * @throws the file system's error, or one of the registry, with a `code`
 */
export async function noteInstallation(
  { brand, version, command, userFolder }: Installation,
  noteMore = noteInRegistry,
): Promise<void> {
  const record: InstallRecord = { path: dirname(command.at(-1) ?? ''), version, command: [...command] }
  await replaceFile(join(userFolder, installFileName), `${JSON.stringify(record, null, 2)}\n`)
  await noteMore(brand, record)
}

/** Longest wait for one run of `reg.exe`, in milliseconds; it takes a few dozen. */
const registryTimeoutMs = 10_000

/** Windows: writes the values of the current user's registry in which partners look for the executable (specification 4.2). */
export async function noteInRegistry(brand: Brand, record: InstallRecord): Promise<void> {
  if (process.platform !== 'win32') return
  for (const argv of registryCommands(brand, record)) if (!(await runRegistry(argv))) throw registryError()
}

/**
 * Takes back what {@link noteInstallation} has written to the registry of Windows, if it is still there.
 *
 * @throws an `Error` with the code `registry`
 */
export async function forgetRegistry(brand: Brand): Promise<void> {
  if (process.platform !== 'win32') return
  const key = `HKCU\\${brand.registryKey}`
  for (const value of ['path', 'version']) {
    const at = [key, '/v', value]
    // One that is not there cannot be removed.
    if (!(await runRegistry(['delete', ...at, '/f'])) && (await runRegistry(['query', ...at])))
      throw registryError()
  }
}

/** @returns whether it ended well; its own words and those of Node hold the path */
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
 * What `reg.exe` is told, one run a value. The version comes first: whoever reads between the two finds the old folder, which an
 * update has left in place or removed, and never a new folder with an old version.
 *
 * @returns nothing to do for a program that is not an executable of the brand's name: partners start it by that name
 */
export function registryCommands(brand: Brand, { path, version, command }: InstallRecord): string[][] {
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
