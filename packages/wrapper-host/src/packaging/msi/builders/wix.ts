import { join } from 'node:path'
import { PackError } from '../../pack-error.ts'
import type { BuildMsi } from './msi-builder.ts'
import { runBuilder } from './run-builder.ts'

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
