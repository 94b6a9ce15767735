import { quotePosixShell } from '@service-link/cli-args'
import { powerShellLiteral } from '@service-link/ui/quote'

/** Writes lines of the user's shell. */
export interface ShellLines {
  readonly name: string
  readonly quote: (text: string) => string
  readonly set: (environment: Readonly<Record<string, string>>) => string
}

const unlessPlain = (quote: (text: string) => string) => (text: string) =>
  /^[\w=./:-]+$/.test(text) ? text : quote(text)

const posix: ShellLines = {
  name: 'terminal',
  quote: unlessPlain(text => quotePosixShell([text])),
  set: environment =>
    `export ${Object.entries(environment)
      .map(([name, value]) => `${name}=${quotePosixShell([value])}`)
      .join(' ')}`,
}

const powerShell: ShellLines = {
  name: 'PowerShell window',
  quote: unlessPlain(powerShellLiteral),
  set: environment =>
    Object.entries(environment)
      .map(([name, value]) => `$env:${name}=${powerShellLiteral(value)}`)
      .join('; '),
}

export function shellLines(platform: NodeJS.Platform = process.platform): ShellLines {
  return platform === 'win32' ? powerShell : posix
}
