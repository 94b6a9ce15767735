import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PackError } from '../../pack-error.ts'
import { markLetters } from './marked-letters.ts'
import type { BuildMsi } from './msi-builder.ts'
import { restoreLetters } from './restore-letters.ts'
import { runBuilder } from './run-builder.ts'

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
