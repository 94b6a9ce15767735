import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Builds a program for Windows from C with the compiler's strictest checks.
 *
 * @param sources absolute paths
 * @param file absolute path of the executable
 * @param flags of the compiler, beside the checks
 * @throws an error of Node with the compiler's output
 */
export async function compileNative(
  sources: readonly string[],
  file: string,
  flags: readonly string[] = [],
): Promise<void> {
  const checks = ['-std=c11', '-O1', '-Wall', '-Wextra', '-Werror', '-pedantic']
  await promisify(execFile)('x86_64-w64-mingw32-gcc', [...checks, ...flags, ...sources, '-o', file])
}
