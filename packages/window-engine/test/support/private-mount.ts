import { execFile } from 'node:child_process'
import { isInstalled } from './is-installed.ts'

const why = process.getuid?.() !== 0 ? 'not root' : isInstalled('unshare') ? undefined : 'there is no unshare'

/** Whether programs can be given mounts that nobody else sees; where not, the tests are skipped, and fail under `CI=true`. */
export const canMount = why === undefined || process.env.CI === 'true'
if (!canMount) console.warn(`Tests with mounts of their own are skipped: ${why}.`)

/** How a program ended. */
export interface MountedEnd {
  readonly exitCode: number
  readonly output: string
  readonly errors: string
}

/**
 * Runs a program where folders are mounted as no other process sees them.
 *
 * @param prepare shell commands that mount; `$1` is the folder
 */
export function runMounted(
  { prepare, folder }: { readonly prepare: string; readonly folder: string },
  file: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<MountedEnd> {
  const script = `set -e\n{ ${prepare}; } 2>/dev/null\nshift\nexec "$@"`
  const args = ['-m', 'sh', '-c', script, 'sh', folder, file, ...argv]
  return new Promise(resolve => {
    const child = execFile('unshare', args, { env }, (_, output, errors) =>
      resolve({ exitCode: child.exitCode ?? -1, output, errors }),
    )
  })
}
