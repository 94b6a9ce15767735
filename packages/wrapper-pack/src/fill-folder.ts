import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  findProgram,
  type InstalledProgram,
  inElement,
  packedTrayFolder,
  providersFolder,
  settingLines,
  TrayError,
} from '@service-link/wrapper-host/packing'
import type { PackPlan, PackTarget } from './pack-plan.ts'

/** An installer leaves out folders that are empty. */
const aboutProviders = `Modules of your own providers belong here, <Assembly>.mjs each. Nobody but administrators and the owner of this folder may
be allowed to change them: what they hold runs with the user's rights.
`

/** What {@link fillFolder} puts beside the executable. */
export interface FillFolderOptions {
  /** Absolute path; exists. */
  readonly folder: string
  readonly plan: PackPlan
  readonly tray: FoundTrayProgram | undefined
  /** Words of `licenses.txt`. */
  readonly licences: string
}

/**
 * Puts beside an executable what belongs to it: configuration, modules of providers, the program of the icon, licences. Nobody but
 * the owner may change any of it, whatever the umask: a wrapper loads no provider that others can change.
 */
export async function fillFolder({ folder, plan, tray, licences }: FillFolderOptions): Promise<void> {
  await chmod(folder, 0o755)
  await writeFixed(join(folder, plan.brand.configFile), writeApplicationConfig(plan))
  await writeFixed(join(folder, 'licenses.txt'), licences)
  const providers = await makeFolder(join(folder, providersFolder))
  await writeFixed(join(providers, 'README.txt'), aboutProviders)
  for (const file of plan.providers) await copyFixed(file, join(providers, basename(file)), 0o644)
  if (!tray) return
  const trayFolder = await makeFolder(join(folder, packedTrayFolder))
  await copyFixed(tray.file, join(trayFolder, basename(tray.file)), 0o755)
}

async function makeFolder(folder: string): Promise<string> {
  await mkdir(folder)
  await chmod(folder, 0o755)
  return folder
}

async function writeFixed(file: string, text: string): Promise<void> {
  await writeFile(file, text)
  await chmod(file, 0o644)
}

async function copyFixed(from: string, to: string, mode: number): Promise<void> {
  await copyFile(from, to)
  await chmod(to, mode)
}

/** The program that shows the icon, with the licence of its package. */
export interface FoundTrayProgram extends InstalledProgram {
  readonly licence: string
}

/**
 * The program of the optional dependency that shows the icon in the notification area of a platform.
 *
 * @returns nothing when it is not installed
 */
export async function findTrayProgram({ isWindows }: PackTarget): Promise<FoundTrayProgram | undefined> {
  try {
    const found = await findProgram(isWindows ? 'win32' : 'linux', 'x64')
    return {
      ...found,
      licence: await readFile(join(dirname(found.file), '..', 'LICENSE'), 'utf8').catch(() => 'MIT'),
    }
  } catch (error) {
    if (error instanceof TrayError) return undefined
    throw error
  }
}

/**
 * Writes the settings for everybody as .NET configuration XML, as the file beside the executable holds them (specification 2.2).
 * Values that the brand knows are written too, so that an administrator sees where to change them.
 */
export function writeApplicationConfig({ brand, settings }: PackPlan): string {
  const known = { AppUrl: brand.appUrl, UpdateUrl: brand.updateUrl, DistributorName: '', ...settings }
  const lines = Object.entries({
    ...known,
    ProtocolProvider: settings.ProtocolProvider ?? brand.providers.legacyXml,
  })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => settingLines(name, value))
  const group = inElement(`${brand.application}.Properties.Settings`, lines)
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    ...inElement('configuration', inElement('applicationSettings', group)),
    '',
  ].join('\n')
}
