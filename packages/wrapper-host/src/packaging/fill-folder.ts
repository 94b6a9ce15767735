import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { providersFolder } from '../launch/provider-modules.ts'
import { packedTrayFolder } from '../tray/find-program.ts'
import type { FoundTrayProgram } from './find-tray-program.ts'
import type { PackPlan } from './pack-plan.ts'
import { writeApplicationConfig } from './write-application-config.ts'

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
