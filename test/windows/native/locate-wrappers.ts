import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join, win32 } from 'node:path'
import { launchWrapper, locateWrapper } from '../../../packages/pipe-client/src/index.ts'
import { type Brand, defineBrand } from '../../../packages/protocol-core/src/wrapper/brand.ts'
import { noteInRegistry } from '../../../packages/wrapper-host/src/install/note-installation.ts'
import { type NativeArguments, readArguments } from './read-arguments.ts'

/** One state of the registry and of the disk. */
export interface LocateScenario {
  readonly vendor: string
  readonly application: string
  /** Folders, below the one of this run, that get an executable of the brand's name. */
  readonly folders: readonly string[]
  /** The folder that the wrapper notes itself, and its version. */
  readonly notes?: readonly (readonly [folder: string, version: string])[]
  /** What `reg.exe add` is told behind the key. */
  readonly values?: readonly (readonly string[])[]
  /** Arguments of a launch of what was found. */
  readonly launch?: readonly string[]
}

/** What came of it; paths below the folder of this run have `<folder>` in its place. */
export interface LocateResult {
  readonly path?: string
  readonly version?: string
  readonly command?: readonly string[]
  /** Of the error, in place of the others. */
  readonly code?: string
  readonly role?: string
  /** What the started program has got. */
  readonly launched?: NativeArguments
  /** What the example in C finds. */
  readonly native?: string
}

// Runs in Node for Windows: makes each state, and looks for the wrapper.
const [, , stage = '', folder = ''] = process.argv
const scenarios: readonly LocateScenario[] = JSON.parse(readFileSync(join(stage, 'scenarios.json'), 'utf8'))
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  LOCATE_FOLDER: folder,
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

/** The example is built for the brand of this name alone. */
function findNative({ application }: LocateScenario): { readonly native?: string } {
  if (application !== 'Service.Client.WebWrapper') return {}
  const program = join(stage, 'find_wrapper.exe')
  return { native: relative(execFileSync(program, ['path'], { encoding: 'utf8', env: environment }).trim()) }
}

const results: LocateResult[] = []
for (const scenario of scenarios) {
  const { vendor, application, folders, notes = [], values = [] } = scenario
  const brand = defineBrand({ vendor, application })
  for (const each of folders) {
    mkdirSync(join(folder, each), { recursive: true })
    copyFileSync(join(stage, 'arguments.exe'), join(folder, each, brand.executable))
  }
  for (const [each, version] of notes) {
    const path = join(folder, each)
    await noteInRegistry(brand, { path, version, command: [join(path, brand.executable)] })
  }
  for (const value of values)
    reg('add', `HKCU\\${brand.registryKey}`, ...value.map(text => text.replace('<folder>', folder)), '/f')
  results.push({ ...(await resultOf(scenario, brand)), ...findNative(scenario) })
}
for (const vendor of new Set(scenarios.map(each => each.vendor))) {
  try {
    reg('delete', `HKCU\\Software\\${vendor}`, '/f')
  } catch {
    // Nothing was written for it.
  }
}
process.stdout.write(JSON.stringify(results))
