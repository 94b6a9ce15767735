import { ArgsError, assertParameter } from '@service-link/protocol-core/errors'
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
  assertArguments(argv)
  if (argv.some(argument => argument.includes('\0')))
    throw new ArgsError([{ path: '', problem: 'an argument contains a NUL character' }])
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
  assertArguments(argv)
  const commandLine = argv.map(quoteArgument).join(' ')
  if (commandLine.includes('\0'))
    throw new ArgsError([{ path: '', problem: 'an argument contains a NUL character' }])
  if (commandLine.length > maxWindowsCommandLineLength)
    throw new ArgsError([
      {
        path: '',
        problem: `the command line is longer than ${maxWindowsCommandLineLength} characters, the most that Windows takes`,
      },
    ])
  return commandLine
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

/**
 * Splits a Windows command line into arguments as the C run-time library does: spaces and tabs separate outside quotes;
 * `2n` backslashes before a quote are `n` backslashes and a quote that opens or closes, `2n+1` are `n` and a quote as it
 * is; two quotes within quotes are one. The inverse of `quoteWindowsCommandLine`.
 *
 * @param commandLine what follows the executable's own name, whose path has other rules
 * @returns the arguments; quotes that are never closed end with the text
 * @example
 * ```ts
 * import { splitWindowsCommandLine } from '@service-link/cli-args'
 *
 * splitWindowsCommandLine('lastname="van Dyk" id=7') // ['lastname=van Dyk', 'id=7']
 * ```
 */
export function splitWindowsCommandLine(commandLine: string): string[] {
  assertParameter('commandLine', commandLine, 'text')
  const argv: string[] = []
  let index = skipSeparators(commandLine, 0)
  while (index < commandLine.length) {
    const [argument, end] = readArgument(commandLine, index)
    argv.push(argument)
    index = skipSeparators(commandLine, end)
  }
  return argv
}

function readArgument(text: string, start: number): readonly [argument: string, end: number] {
  let argument = ''
  let isInQuotes = false
  let index = start
  while (index < text.length && (isInQuotes || !isSeparator(text[index]))) {
    const slashes = countBackslashes(text, index)
    const isBeforeQuote = text[index + slashes] === '"'
    argument += '\\'.repeat(isBeforeQuote ? Math.floor(slashes / 2) : slashes)
    index += slashes
    if (!isBeforeQuote) {
      if (slashes === 0) argument += text[index++]
    } else if (slashes % 2 === 1) {
      argument += '"'
      index++
    } else if (isInQuotes && text[index + 1] === '"') {
      argument += '"'
      index += 2
    } else {
      isInQuotes = !isInQuotes
      index++
    }
  }
  return [argument, index]
}

function countBackslashes(text: string, start: number): number {
  let end = start
  while (text[end] === '\\') end++
  return end - start
}

function skipSeparators(text: string, start: number): number {
  let index = start
  while (isSeparator(text[index])) index++
  return index
}

function isSeparator(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}
