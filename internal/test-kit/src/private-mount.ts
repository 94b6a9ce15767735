import { execFile } from 'node:child_process'
import { isInstalled } from './is-installed.ts'

const why = process.getuid?.() !== 0 ? 'not root' : isInstalled('unshare') ? undefined : 'there is no unshare'

/** Whether private mounts are available; otherwise the tests are skipped, or fail under `CI=true`. */
export const canMount = why === undefined || process.env.CI === 'true'
if (!canMount) console.warn(`Tests with mounts of their own are skipped: ${why}.`)

/** The exit of a program. */
export interface MountedEnd {
  readonly exitCode: number
  readonly output: string
  readonly errors: string
}

/**
 * Runs a program with private mounts, invisible to other processes.
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
