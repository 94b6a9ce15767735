import type { Command } from '@service-link/protocol-core'
import { type ParseArgumentsOptions, parseCommandLine } from './parse-command-line.ts'
import { type LaunchArguments, readLaunchArguments } from './read-launch-arguments.ts'

/** A launch's arguments and the commands that the command-line provider makes of them. */
export interface ParsedArguments extends LaunchArguments {
  /** In the order in which they run. */
  readonly commands: readonly Command[]
}

/**
 * Reads a whole argument list at once: `readLaunchArguments`, then `parseCommandLine`. An XML file is reported, not read.
 *
 * @param argv arguments after the executable's own name, as the operating system split them
 * @throws {ArgsError} as the two functions do
 * @example
 * ```ts
 * import { parseArguments } from '@service-link/cli-args'
 *
 * const { commands } = parseArguments(
 *   ['id=4711', 'firstname=Ola', 'lastname=van Dyk', 'dateofbirth=03.04.1980'],
 *   { culture: 'nb-NO' },
 * )
 * // [{ name: 'selectperson', args: { customId: '4711', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' } }]
 * ```
 */
export function parseArguments(
  argv: readonly string[],
  options: ParseArgumentsOptions = {},
): ParsedArguments {
  const launch = readLaunchArguments(argv)
  return { ...launch, commands: parseCommandLine(launch, options) }
}
