import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canMount, type MountedEnd, runMounted } from './private-mount.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Whether browsers can be given policies; see {@link canMount}. */
export { canMount as canManage }

/** File with the policies of {@link runManaged}. */
export const policyFile = '/etc/chromium/policies/managed/hospital.json'

/**
 * Runs a source of Node, an ES module, as {@link runManaged}.
 *
 * @param argv arguments of the program, after the folder for its profile
 */
export async function runManagedSource(
  policies: Readonly<Record<string, unknown>>,
  source: string,
  argv: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<MountedEnd> {
  await using folder = await temporaryFolder()
  const flags = ['-C', '@service-link/source', '--input-type=module', '-e', source]
  return await runManaged(policies, process.execPath, [...flags, join(folder.path, 'profile'), ...argv], env)
}

/** Runs a program that alone sees these policies of Chromium. The machine's own are hidden from it. */
export async function runManaged(
  policies: Readonly<Record<string, unknown>>,
  file: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<MountedEnd> {
  await using folder = await temporaryFolder()
  const root = join(folder.path, 'chromium')
  await mkdir(join(root, 'policies', 'managed'), { recursive: true })
  await writeFile(join(root, 'policies', 'managed', 'hospital.json'), JSON.stringify(policies))
  const preferences = 'master_preferences'
  await copyFile(join('/etc/chromium', preferences), join(root, preferences)).catch(() => undefined)
  return await runMounted({ prepare: 'mount --bind "$1" /etc/chromium', folder: root }, file, argv, env)
}
