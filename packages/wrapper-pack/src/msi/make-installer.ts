import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { neutralIcon } from '../brand/icon.ts'
import { nameGuid } from '../brand/name-guid.ts'
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
 * Makes `<application>.<four-part version>.msi` (spec 4.2) for one user or all, and its source beside it with the ending `.wxs`.
 * Uses WiX 3 (candle and light) if installed, else wixl with msibuild. With wixl the same content makes the same bytes; for that the
 * files in the folder get the time of `SOURCE_DATE_EPOCH`, else of 1980.
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
    const icon = plan.icon ?? join(temporary, 'neutral.ico')
    if (plan.icon === undefined) await writeFile(icon, neutralIcon())
    const time = buildTime()
    // The cabinet holds them.
    for (const file of files) await utimes(join(folder, file), time, time)
    const content = [icon, ...files.map(file => join(folder, file))]
    const packageCode = nameGuid(plan.upgradeCode, await digestFiles(content, writeWxs(plan, files)))
    await writeFile(wxs, writeWxs(plan, files, packageCode))
    const made = join(temporary, 'installer.msi')
    const build = { wxs, folder, icon, msi: made, temporary, packageCode, time, signal }
    const isMade = (await buildWithWix(build)) || (await buildWithWixl(build))
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

/** The first moment that a cabinet can hold, in seconds since 1970. */
const firstMoment = 315_532_800

/** The time that output carries: the environment's `SOURCE_DATE_EPOCH`, else one that is the same for every build. */
function buildTime(): Date {
  const text = process.env.SOURCE_DATE_EPOCH ?? ''
  if (text === '') return new Date(firstMoment * 1000)
  if (!/^\d{9,10}$/.test(text) || Number(text) < firstMoment)
    throw new PackError('SOURCE_DATE_EPOCH must be a time of 1980 or later, in seconds since 1970.')
  return new Date(Number(text) * 1000)
}

/** @returns in hex */
async function digestFiles(files: readonly string[], text: string): Promise<string> {
  const whole = createHash('sha256').update(text)
  for (const file of files) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    whole.update(hash.digest())
  }
  return whole.digest('hex')
}

/** Lists all files below a folder by relative paths with `/`, sorted. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .sort()
}
