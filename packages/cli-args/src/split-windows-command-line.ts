import { assertParameter } from '@service-link/protocol-core/errors'

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
