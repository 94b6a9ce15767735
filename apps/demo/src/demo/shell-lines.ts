import { quotePosixShell } from '@service-link/cli-args'

/** How lines are written that people copy into their shell. */
export interface ShellLines {
  /** What people call the place to copy them to. */
  readonly name: string
  /** One text as one argument, in quotes where it needs them. */
  quote(text: string): string
  /** Sets these variables for all that follows. */
  set(environment: Readonly<Record<string, string>>): string
  /** Runs a command and, when it succeeds, another that reads what the first one printed from a file of this user only. */
  pipeByFile(first: string, file: string, second: string): string
}

/** Nothing in it has a meaning in any shell. */
const isPlain = (text: string) => /^[\w=./:-]+$/.test(text)

const posix: ShellLines = {
  name: 'terminal',
  quote: text => (isPlain(text) ? text : quotePosixShell([text])),
  set: environment =>
    `export ${Object.entries(environment)
      .map(([name, value]) => `${name}=${quotePosixShell([value])}`)
      .join(' ')}`,
  pipeByFile: (first, file, second) => `(umask 077; ${first} > ${quotePosixShell([file])}) && ${second}`,
}

const quotePowerShell = (text: string) => `'${text.replaceAll("'", "''")}'`

const powerShell: ShellLines = {
  name: 'PowerShell window',
  quote: text => (isPlain(text) ? text : quotePowerShell(text)),
  set: environment =>
    Object.entries(environment)
      .map(([name, value]) => `$env:${name}=${quotePowerShell(value)}`)
      .join('; '),
  pipeByFile: (first, file, second) =>
    `${first} | Out-File -Encoding ascii ${quotePowerShell(file)}; if ($?) { ${second} }`,
}

/** The shell that people of a platform have: PowerShell on Windows, elsewhere one of the POSIX family. */
export function shellLines(platform: NodeJS.Platform = process.platform): ShellLines {
  return platform === 'win32' ? powerShell : posix
}
