import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type MountedEnd, runMounted } from '@service-link/test-kit/private-mount'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'

/**
 * Runs a program of Node, an ES module, whose browser has managed policies. No other process sees them.
 *
 * @param argv arguments of the program, after the folder for its profile
 */
export async function runWithPolicies(
  policies: unknown,
  program: string,
  argv: readonly string[] = [],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<MountedEnd> {
  await using folder = await temporaryFolder()
  const chromium = join(folder.path, 'chromium')
  const managed = join(chromium, 'policies', 'managed')
  await mkdir(managed, { recursive: true })
  await writeFile(join(managed, 'hospital.json'), JSON.stringify(policies))
  await copyFile('/etc/chromium/master_preferences', join(chromium, 'master_preferences')).catch(
    () => undefined,
  )
  const mount = { prepare: 'mount --bind "$1" /etc/chromium', folder: chromium }
  const flags = ['-C', '@service-link/source', '--input-type=module', '-e', program]
  return await runMounted(
    mount,
    process.execPath,
    [...flags, join(folder.path, 'profile'), ...argv],
    environment,
  )
}
