import { quotePosixShell } from '@service-link/cli-args'
import { powerShellLiteral } from '@service-link/ui/quote'

/** Writes lines of the user's shell. */
export interface ShellLines {
  readonly name: string
  readonly set: (environment: Readonly<Record<string, string>>) => string
}

const posix: ShellLines = {
  name: 'terminal',
  set: environment =>
    `export ${Object.entries(environment)
      .map(([name, value]) => `${name}=${quotePosixShell([value])}`)
      .join(' ')}`,
}

const powerShell: ShellLines = {
  name: 'PowerShell window',
  set: environment =>
    Object.entries(environment)
      .map(([name, value]) => `$env:${name}=${powerShellLiteral(value)}`)
      .join('; '),
}

export function shellLines(platform: NodeJS.Platform = process.platform): ShellLines {
  return platform === 'win32' ? powerShell : posix
}
