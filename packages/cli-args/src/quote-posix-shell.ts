import { ArgsError } from '@service-link/protocol-core/errors'
import { assertArguments } from './split-argument.ts'

/**
 * Joins arguments into one line for a POSIX shell (sh, bash, dash, zsh): each in single quotes, within which nothing has a
 * meaning. Prefer a process starter that takes a list and no shell.
 *
 * @param argv arguments, with or without the executable's own name
 * @throws {ArgsError} when an argument holds a NUL character
 * @example
 * ```ts
 * import { quotePosixShell } from '@service-link/cli-args'
 *
 * quotePosixShell(["lastname=O'Neil", 'id=7']) // `'lastname=O'\''Neil' 'id=7'`
 * ```
 */
export function quotePosixShell(argv: readonly string[]): string {
  assertArguments(argv)
  if (argv.some(argument => argument.includes('\0')))
    throw new ArgsError([{ path: '', problem: 'an argument contains a NUL character' }])
  return argv.map(argument => `'${argument.replaceAll("'", "'\\''")}'`).join(' ')
}
