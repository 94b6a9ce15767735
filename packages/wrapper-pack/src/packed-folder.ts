import { chmod, copyFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type SettingDefinition, type SettingScope, settingsTable } from '@service-link/protocol-core'
import {
  findProgram,
  inElement,
  packedBrowserFolder,
  packedTrayFolder,
  providersFolder,
  refusedRenaming,
  settingLines,
  TrayError,
  whileInUse,
} from '@service-link/wrapper-host/packing'
import type { BrowserFolder } from './brand/browser-folder.ts'
import type { PackPlan } from './pack-plan.ts'

/** An installer leaves out empty folders: this text keeps the folder of the providers. */
const aboutProviders = `Modules of providers, as they were packed with this wrapper. It runs no other module, and none that was changed since:
name them in the brand file (providerModules) and pack the wrapper again.
`

interface FillFolderOptions {
  /** Absolute path; exists. */
  readonly folder: string
  readonly plan: PackPlan
  /** File name → content, for the folder `providers`. */
  readonly modules: ReadonlyMap<string, Uint8Array>
  readonly tray: FoundTrayProgram | undefined
  /** Files of the browser, from the folder of the plan. */
  readonly browser: BrowserFolder | undefined
  /** Text of `licenses.txt`. */
  readonly licenses: string
}

/**
 * Puts configuration, modules of providers, the program of the icon, and licenses beside an executable. Only the owner may change
 * them, whatever the umask: a wrapper loads no provider that others can change.
 */
export async function fillFolder({
  folder,
  plan,
  modules,
  tray,
  browser,
  licenses,
}: FillFolderOptions): Promise<void> {
  await chmod(folder, 0o755)
  await writeFixed(join(folder, plan.brand.configFile), writeApplicationConfig(plan))
  await writeFixed(join(folder, 'licenses.txt'), licenses)
  const providers = await makeFolder(join(folder, providersFolder))
  await writeFixed(join(providers, 'README.txt'), aboutProviders)
  for (const [name, content] of modules) await writeFixed(join(providers, name), content)
  if (browser) await copyBrowser(plan.browser ?? '', join(folder, packedBrowserFolder), browser)
  if (!tray) return
  const trayFolder = await makeFolder(join(folder, packedTrayFolder))
  const program = join(trayFolder, basename(tray.file))
  await copyFile(tray.file, program)
  await chmod(program, 0o755)
}

async function copyBrowser(from: string, to: string, { files }: BrowserFolder): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(to, file)), { recursive: true, mode: 0o755 })
    await copyFile(join(from, file), join(to, file))
    const { mode } = await stat(join(from, file))
    await chmod(join(to, file), (mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}

async function makeFolder(folder: string): Promise<string> {
  await mkdir(folder)
  await chmod(folder, 0o755)
  return folder
}

async function writeFixed(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content)
  await chmod(file, 0o644)
}

/** The program that shows the icon, with the license of its package. */
interface FoundTrayProgram {
  readonly file: string
  readonly license: string
}

/**
 * Finds the program that shows the icon on Linux. On Windows the executable does.
 *
 * @returns `undefined` when the optional dependency with it is not installed
 */
export async function findTrayProgram(): Promise<FoundTrayProgram | undefined> {
  try {
    const { file } = await findProgram('linux', 'x64')
    return {
      file,
      license: await readFile(join(dirname(file), '..', 'LICENSE'), 'utf8').catch(() => 'MIT'),
    }
  } catch (error) {
    if (error instanceof TrayError) return undefined
    throw error
  }
}

/**
 * Writes the settings for everybody, and the users' first values, as .NET configuration XML (specification 2.2). It includes values
 * of the brand, so that an administrator sees where to change them.
 */
function writeApplicationConfig({ brand, settings }: PackPlan): string {
  const known = { AppUrl: brand.appUrl, UpdateUrl: brand.updateUrl, DistributorName: '', ...settings }
  const definitions: Readonly<Record<string, SettingDefinition>> = settingsTable(brand)
  const all = Object.entries({
    ...known,
    ProtocolProvider: settings.ProtocolProvider ?? brand.providers[brand.defaultProvider],
  }).sort(([a], [b]) => (a < b ? -1 : 1))
  const section = (name: string, scope: SettingScope) => {
    const own = all.filter(([setting]) => definitions[setting]?.scope === scope)
    const group = inElement(
      `${brand.application}.Properties.Settings`,
      own.flatMap(([setting, value]) => settingLines(setting, value)),
    )
    return own.length === 0 ? [] : inElement(name, group)
  }
  const sections = [...section('applicationSettings', 'global'), ...section('userSettings', 'user')]
  return ['<?xml version="1.0" encoding="utf-8"?>', ...inElement('configuration', sections), ''].join('\n')
}

interface PlaceFilesOptions {
  /** Absolute paths, in the order of moving, with their names in `folder`. */
  readonly made: readonly { readonly from: string; readonly name: string }[]
  /** Names of former output, which is removed from `folder` first. */
  readonly former: readonly string[]
  /** Absolute path. */
  readonly folder: string
}

/** Moves files and folders to their places, in the place of former ones. */
export async function placeFiles({ made, former, folder }: PlaceFilesOptions): Promise<void> {
  for (const name of former) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
  // A virus scanner may hold an executable that was just written.
  for (const { from, name } of made)
    await whileInUse(() => rename(from, join(folder, name)), { reasons: refusedRenaming })
}
