import { ArgsError } from '@service-link/protocol-core/errors'
import { assertArguments, maxWindowsCommandLineLength } from './grammar.ts'

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
  assertQuotable(argv)
  return argv.map(argument => `'${argument.replaceAll("'", "'\\''")}'`).join(' ')
}

/**
 * Joins arguments into one Windows command line, such as `CreateProcess` and .NET's `ProcessStartInfo.Arguments` take, by
 * the rules that `CommandLineToArgvW` and the C run-time library undo: an argument with white space or quotes, or an empty
 * one, is put in quotes; a quote within gets a backslash, and backslashes before a quote are doubled.
 *
 * This is not quoting for cmd.exe, which reads `% ! ^ & | < > ( )` and line breaks itself: start the executable directly.
 *
 * @param argv arguments after the executable's own name
 * @returns the command line after the executable's own name
 * @throws {ArgsError} when an argument holds a NUL character or the whole is longer than Windows takes
 * @example
 * ```ts
 * import { quoteWindowsCommandLine } from '@service-link/cli-args'
 *
 * quoteWindowsCommandLine(['lastname=van Dyk', 'id=7']) // '"lastname=van Dyk" id=7'
 * ```
 */
export function quoteWindowsCommandLine(argv: readonly string[]): string {
  assertQuotable(argv)
  const commandLine = argv.map(quoteArgument).join(' ')
  if (commandLine.length <= maxWindowsCommandLineLength) return commandLine
  const problem = `the command line is longer than ${maxWindowsCommandLineLength} characters, the most that Windows takes`
  throw new ArgsError([{ path: '', problem }])
}

function assertQuotable(argv: readonly string[]): void {
  assertArguments(argv)
  if (argv.some(argument => argument.includes('\0')))
    throw new ArgsError([{ path: '', problem: 'an argument contains a NUL character' }])
}

function quoteArgument(argument: string): string {
  if (argument !== '' && !/[\s"]/.test(argument)) return argument
  let quoted = '"'
  let backslashes = 0
  for (const character of argument) {
    if (character === '"') quoted += '\\'.repeat(backslashes + 1)
    backslashes = character === '\\' ? backslashes + 1 : 0
    quoted += character
  }
  return `${quoted}${'\\'.repeat(backslashes)}"`
}
