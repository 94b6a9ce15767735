import { type Command, findCommandName, type ParseCommandOptions, parseCommand } from '../command/command.ts'
import { type ClassicCommandName, isClassicCommandName } from '../command/command-table.ts'
import { MethodError } from '../errors/command-error.ts'
import { hasArgs } from './has-args.ts'
import { methodOf, type RequestEnvelope } from './request-envelope.ts'

/**
 * Writes the body of a classic request, `{"Method": "<name>", "Args": {…}}` (specification 4.5).
 *
 * @param args arguments as they travel; a member that is `undefined` is left out, and all of `Args` when there is none
 * @example
 * ```ts
 * import { writeClassicRequest } from '@service-link/protocol-core'
 *
 * writeClassicRequest('openworkout', { id: 17 }) // '{"Method":"openworkout","Args":{"id":17}}'
 * ```
 */
export function writeClassicRequest(
  name: ClassicCommandName,
  args?: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify(hasArgs(args) ? { Method: name, Args: args } : { Method: name })
}

/**
 * Parses the command of a classic request. Names are matched without regard to case, arguments that are not known are
 * ignored.
 *
 * @param envelope a request, whose id is of no account
 * @returns the command, its arguments parsed
 * @throws {MethodError} when it names no command, or one that is not for the classic mode
 * @throws {ArgsError} when the arguments are not the command's, or two spellings of a member of the request have different
 *   values
 * @example
 * ```ts
 * import { decodeRequest, parseClassicCommand } from '@service-link/protocol-core'
 *
 * const request = decodeRequest(new TextEncoder().encode('{"Method":"openworkout","Args":{"id":"17"}}'))
 * parseClassicCommand(request, { culture: 'nb-NO' }) // { name: 'openworkout', args: { id: 17 } }
 * ```
 */
export function parseClassicCommand(envelope: RequestEnvelope, options: ParseCommandOptions): Command {
  const name = findCommandName(methodOf(envelope))
  if (!isClassicCommandName(name))
    throw new MethodError(
      'This command is not for the classic mode of the pipe: give the request an Id, or use the command line or an XML file.',
    )
  return parseCommand(name, envelope.args, options)
}
