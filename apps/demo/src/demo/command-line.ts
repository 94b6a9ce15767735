/**
 * A line for people to copy: a command that runs with these environment variables.
 *
 * @param platform whose shell it is written for: PowerShell on Windows, elsewhere one of the POSIX family. Default: this one
 */
export function commandLine(
  environment: NodeJS.ProcessEnv,
  command: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const variables = Object.entries(environment).map(([name, value = '']) =>
    platform === 'win32'
      ? `$env:${name}='${value.replaceAll("'", "''")}';`
      : `${name}='${value.replaceAll("'", String.raw`'\''`)}'`,
  )
  return [...variables, command].join(' ')
}
