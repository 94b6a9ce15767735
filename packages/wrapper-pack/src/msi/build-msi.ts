import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PackError } from '../pack-plan.ts'
import { markLetters, restoreLetters, runBuilder } from './letters.ts'

/** Windows: candle and light of the WiX Toolset, version 3. */
export const buildWithWix: BuildMsi = async ({ wxs, folder, icon, msi, temporary, signal }) => {
  const object = join(temporary, 'installer.wixobj')
  const variables = [`-dFolder=${folder}`, `-dIcon=${icon}`]
  const candle = ['-nologo', '-wx', '-arch', 'x64', ...variables, '-out', object, wxs]
  // Whatever it is told, candle writes the name of each source.
  const run = { workingDirectory: temporary, signal, failsAtWarnings: true }
  if (!(await runBuilder('candle', candle, run))) return false
  // Its validation knows no advertised shortcut of a package for one user, and wants a service that build machines often lack.
  const light = ['-nologo', '-wx', '-sval', '-spdb', '-out', msi, object]
  if (!(await runBuilder('light', light, run)))
    throw new PackError(
      'installer',
      'candle is there and light is not. Install the WiX Toolset 3 as a whole.',
    )
  return true
}

/** What a tool makes an installer of. */
export interface MsiSource {
  /** Absolute path of the source, UTF-8. */
  readonly wxs: string
  /** The packed folder, absolute: the source's variable `Folder`. */
  readonly folder: string
  /** An icon file, absolute: the source's variable `Icon`. */
  readonly icon: string
  /** Absolute path of the installer to be made. */
  readonly msi: string
  /** Folder for what is in between, absolute. */
  readonly temporary: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Makes an installer of its source by programs that are found by name.
 *
 * @returns whether the programs are there; the installer is then, too
 * @throws {PackError} when they are there and fail, or warn
 */
export type BuildMsi = (source: MsiSource) => Promise<boolean>

/** wixl says of no text how it is written, whatever its source asks for: Windows would show letters beyond ASCII as others. */
const codepageTable = '\r\n\r\n65001\t_ForceCodepage\r\n'

/** Linux and macOS: wixl, and msibuild of the same project. */
export const buildWithWixl: BuildMsi = async ({ wxs, folder, icon, msi, temporary, signal }) => {
  // It finds files below its working directory only, and takes a path that is not absolute for such a one.
  const variables = ['-D', `Folder=${relative(temporary, folder)}`, '-D', `Icon=${relative(temporary, icon)}`]
  const run = { workingDirectory: temporary, signal }
  // It loses texts with letters that Windows-1252 lacks, or crashes at them.
  const text = await readFile(wxs, 'utf8')
  const marked = join(temporary, 'marked.wxs')
  await writeFile(marked, markLetters(text))
  if (!(await runBuilder('wixl', ['--arch', 'x64', ...variables, '--output', msi, marked], run))) return false
  await writeFile(join(temporary, '_ForceCodepage.idt'), codepageTable)
  if (!(await runBuilder('msibuild', [msi, '-i', '_ForceCodepage.idt'], run)))
    throw new PackError('installer', 'wixl is there and msibuild is not. Install the package msitools.')
  if (markLetters(text) !== text) await restoreLetters(msi, run)
  return true
}
