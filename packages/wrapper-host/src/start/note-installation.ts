import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, win32 } from 'node:path'
import { isSea } from 'node:sea'
import { type Brand, type Installation, installFileName } from '@service-link/protocol-core'
import { openRegistry, type Registry, type RegistryHive } from '@service-link/protocol-core/windows'
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
  try {
    await replaceFile(join(userFolder, installFileName), `${JSON.stringify(installation, null, 2)}\n`)
  } finally {
    // Partners look there, whatever keeps the file from being written.
    await noteMore(brand, installation)
  }
}

/** The registry of Windows cannot be used: this Node lacks `node:ffi`. */
const noRegistry = () => Object.assign(new Error('The registry was not opened.'), { code: 'no-node-ffi' })

/**
 * Writes the values in the current user's registry of Windows by which partners find the executable (spec 4.2), unless they find
 * another one: a copy that somebody starts elsewhere must not take the place of the installed wrapper. The installer writes the
 * values of a new place itself.
 */
export async function noteInRegistry(brand: Brand, installation: Installation): Promise<void> {
  if (process.platform !== 'win32' || !hasBrandName(brand, installation)) return
  const registry = openRegistry()
  if (!registry) throw noRegistry()
  const { path, version, command } = installation
  const executableIn = (hive: RegistryHive) => {
    const folder = registeredFolder(registry, hive, brand)
    const found = folder === undefined ? '' : win32.join(folder, brand.executable)
    return win32.isAbsolute(found) && existsSync(found) ? found : undefined
  }
  const known = executableIn('HKCU')
  const isFree = known === undefined && executableIn('HKLM') === undefined
  if (!isFree && !isSameFile(known, command[0])) return
  // A reader between both finds the old folder, never a new folder with the old version.
  registry.write('HKCU', brand.registryKey, { version, path })
}

/** The folder that a hive names for a brand's executable (spec 4.2). Names of values have no case in Windows. */
export function registeredFolder(registry: Registry, hive: RegistryHive, brand: Brand): string | undefined {
  const values = registry.read(hive, brand.registryKey)
  const [, folder] = [...values].find(([name]) => name.toLowerCase() === 'path') ?? []
  return typeof folder === 'string' ? folder : undefined
}

/** Also by a short name or a link. */
function isSameFile(...files: [string | undefined, string | undefined]): boolean {
  const [one, other] = files.map(file => file && statSync(file, { bigint: true }))
  return Boolean(one && other && one.ino === other.ino && one.dev === other.dev)
}

/** Removes the values of {@link noteInstallation} from the registry of Windows. */
export async function forgetRegistry(brand: Brand): Promise<void> {
  openRegistry()?.remove('HKCU', brand.registryKey, ['path', 'version'])
}

/** Whether the executable has the brand's name, by which partners start it, and needs no arguments. */
export function hasBrandName(brand: Brand, { command: [executable = '', ...others] }: Installation): boolean {
  return others.length === 0 && win32.basename(executable).toLowerCase() === brand.executable.toLowerCase()
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
