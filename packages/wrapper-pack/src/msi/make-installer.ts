import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { neutralIcon } from '../brand/icon.ts'
import { PackError, type PackPlan } from '../pack-plan.ts'
import { buildWithWix, buildWithWixl } from './build-msi.ts'
import { writeWxs } from './write-wxs.ts'

interface MakeInstallerOptions {
  readonly plan: PackPlan
  /** The packed folder for Windows, absolute, with executable and configuration file. */
  readonly folder: string
  /** Folder for the installer, absolute; made when missing. */
  readonly output: string
  readonly signal?: AbortSignal
}

/**
 * Makes `<application>.<four-part version>.msi` (spec 4.2) for one user, and its source beside it with the ending `.wxs`. Uses
 * WiX 3 (candle and light) if installed, else wixl with msibuild.
 *
 * @returns absolute path of the installer, unsigned
 */
export async function makeInstaller({ plan, folder, output, signal }: MakeInstallerOptions): Promise<string> {
  const { brand, version } = plan
  const files = await listFiles(folder)
  await mkdir(output, { recursive: true })
  // On the same file system, for the rename at the end.
  const temporary = await mkdtemp(join(output, '.installer-'))
  const msi = join(output, `${brand.application}.${version}.msi`)
  const wxs = join(output, `${brand.application}.${version}.wxs`)
  try {
    await writeFile(wxs, writeWxs(plan, files))
    const icon = plan.icon ?? join(temporary, 'neutral.ico')
    if (plan.icon === undefined) await writeFile(icon, neutralIcon())
    const made = join(temporary, 'installer.msi')
    const source = { wxs, folder, icon, msi: made, temporary, signal }
    const isMade = (await buildWithWix(source)) || (await buildWithWixl(source))
    if (!isMade)
      throw new PackError(
        'No tool makes an installer here. Install wixl and msitools (Debian: wixl msitools; macOS: msitools of Homebrew), or on Windows the WiX Toolset 3; or pack with --no-installer.',
      )
    await rename(made, msi)
    return msi
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Lists all files below a folder by relative paths with `/`, sorted. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .sort()
}
