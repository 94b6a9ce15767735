import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PackError } from '../../pack-error.ts'
import type { BuildMsi } from './msi-builder.ts'
import { runBuilder } from './run-builder.ts'

/** wixl writes texts as UTF-8 and does not say so, whatever its source asks for: Windows would show letters beyond ASCII as others. */
const codepageTable = '\r\n\r\n65001\t_ForceCodepage\r\n'

/** Linux and macOS: wixl, and msibuild of the same project. */
export const buildWithWixl: BuildMsi = async ({ wxs, folder, icon, msi, temporary, signal }) => {
  // It finds files below its working directory only, and takes a path that is not absolute for such a one.
  const variables = ['-D', `Folder=${relative(temporary, folder)}`, '-D', `Icon=${relative(temporary, icon)}`]
  const run = { workingDirectory: temporary, signal }
  if (!(await runBuilder('wixl', ['--arch', 'x64', ...variables, '--output', msi, wxs], run))) return false
  await writeFile(join(temporary, '_ForceCodepage.idt'), codepageTable)
  if (!(await runBuilder('msibuild', [msi, '-i', '_ForceCodepage.idt'], run)))
    throw new PackError('installer', 'wixl is there and msibuild is not. Install the package msitools.')
  return true
}
