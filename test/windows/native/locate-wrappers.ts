import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join, win32 } from 'node:path'
import { launchWrapper, locateWrapper } from '../../../packages/pipe-client/src/index.ts'
import { type Brand, defineBrand } from '../../../packages/protocol-core/src/wrapper/brand.ts'
import { noteInRegistry } from '../../../packages/wrapper-host/src/start/note-installation.ts'
import { type NativeArguments, readArguments } from './read-arguments.ts'

/** A state of the registry and the disk. */
export interface LocateScenario {
  readonly vendor: string
  readonly application: string
  /** Default: by vendor and application. */
  readonly registryKey?: string
  /** Folders, below this run's folder, that get an executable of the brand's name. */
  readonly folders: readonly string[]
  /** Folder and version that the wrapper records. */
  readonly notes?: readonly (readonly [folder: string, version: string])[]
  /** Arguments of `reg.exe add` after the key. */
  readonly values?: readonly (readonly string[])[]
  /** The same, in the machine's registry. */
  readonly machineValues?: readonly (readonly string[])[]
  /** Launch arguments for the found wrapper. */
  readonly launch?: readonly string[]
}

/** The result; `<folder>` replaces this run's folder in paths. */
export interface LocateResult {
  readonly path?: string
  readonly version?: string
  readonly command?: readonly string[]
  /** Code of the error, if the search failed. */
  readonly code?: string
  readonly role?: string
  /** Arguments that the started program received. */
  readonly launched?: NativeArguments
  /** The finding of the example in C. */
  readonly native?: string
}

// Runs in Node for Windows: makes each state and locates the wrapper.
const [, , stage = '', folder = ''] = process.argv
const scenarios: readonly LocateScenario[] = JSON.parse(readFileSync(join(stage, 'scenarios.json'), 'utf8'))
// Windows takes the variables of the process.
process.env.LOCATE_FOLDER = folder
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  SERVICE_WRAPPER_DATA: join(folder, 'no-user-folder'),
  ARGUMENTS_FILE: join(folder, 'arguments.txt'),
}
const reg = (...argv: readonly string[]) =>
  execFileSync(win32.join(process.env.SystemRoot ?? '', 'System32', 'reg.exe'), argv, { stdio: 'ignore' })
const relative = (path: string) => path.replace(folder, '<folder>')

async function resultOf(scenario: LocateScenario, brand: Brand): Promise<LocateResult> {
  try {
    const { path, version, command } = await locateWrapper({ brand, environment })
    const found = { path: relative(path), command: command.map(relative), ...(version ? { version } : {}) }
    if (!scenario.launch) return found
    const { role } = await launchWrapper(scenario.launch, { brand, environment })
    const launched = readArguments(readFileSync(join(folder, 'arguments.txt'), 'utf8'))
    return { ...found, role, launched }
  } catch (error) {
    return { code: String((error as NodeJS.ErrnoException).code) }
  }
}

/** The example is built for this brand only. */
function findNative({ application }: LocateScenario): { readonly native?: string } {
  if (application !== 'Service.Client.WebWrapper') return {}
  const program = join(stage, 'find_executable.exe')
  return { native: relative(execFileSync(program, { encoding: 'utf8', env: environment }).trim()) }
}

const results: LocateResult[] = []
for (const scenario of scenarios) {
  const { vendor, application, registryKey, folders, notes = [], values = [], machineValues = [] } = scenario
  const brand = defineBrand({ vendor, application, ...(registryKey ? { registryKey } : {}) })
  for (const each of folders) {
    mkdirSync(join(folder, each), { recursive: true })
    copyFileSync(join(stage, 'arguments.exe'), join(folder, each, brand.executable))
  }
  for (const [each, version] of notes) {
    const path = join(folder, each)
    await noteInRegistry(brand, { path, version, command: [join(path, brand.executable)] })
  }
  const all = [
    ...values.map(value => ['HKCU', value] as const),
    ...machineValues.map(value => ['HKLM', value] as const),
  ]
  for (const [hive, value] of all)
    reg('add', `${hive}\\${brand.registryKey}`, ...value.map(text => text.replace('<folder>', folder)), '/f')
  results.push({ ...(await resultOf(scenario, brand)), ...findNative(scenario) })
}
for (const vendor of new Set(scenarios.map(each => each.vendor)))
  for (const hive of ['HKCU', 'HKLM'])
    try {
      reg('delete', `${hive}\\Software\\${vendor}`, '/f')
    } catch {
      // Nothing was written for it.
    }
process.stdout.write(JSON.stringify(results))
