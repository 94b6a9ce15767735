import { join } from 'node:path'
import { runManaged } from '@service-link/test-kit/managed-policies'
import type { MountedEnd } from '@service-link/test-kit/private-mount'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'

/**
 * Runs a program of Node, an ES module, whose browser has managed policies. No other process sees them.
 *
 * @param argv arguments of the program, after the folder for its profile
 */
export async function runWithPolicies(
  policies: Readonly<Record<string, unknown>>,
  program: string,
  argv: readonly string[] = [],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<MountedEnd> {
  await using folder = await temporaryFolder()
  const flags = ['-C', '@service-link/source', '--input-type=module', '-e', program]
  return await runManaged(
    policies,
    process.execPath,
    [...flags, join(folder.path, 'profile'), ...argv],
    environment,
  )
}
