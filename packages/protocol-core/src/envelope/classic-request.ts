import { type Command, findCommandName, type ParseCommandOptions, parseCommand } from '../command/command.ts'
import { type ClassicCommandName, isClassicCommandName } from '../command/command-table.ts'
import { MethodError } from '../errors/command-error.ts'
import { decodeRequest, methodOf, type RequestEnvelope } from './request-envelope.ts'

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
  const hasArgs = args !== undefined && Object.values(args).some(value => value !== undefined)
  return JSON.stringify(hasArgs ? { Method: name, Args: args } : { Method: name })
}

/**
 * Reads the body of a classic request.
 *
 * @param body one frame's body
 * @returns the command, its arguments parsed
 * @throws {JsonError} when the body is not a JSON object
 * @throws {MethodError} when it names no command, or one that is not for the classic mode
 * @throws {ArgsError} when the arguments are not the command's
 */
export function parseClassicRequest(body: Uint8Array, options: ParseCommandOptions): Command {
  return parseClassicCommand(decodeRequest(body), options)
}

/**
 * Parses the command of a classic request, see {@link parseClassicRequest}.
 *
 * @param envelope a request, whose id is of no account
 * @throws {MethodError} when it names no command, or one that is not for the classic mode
 * @throws {ArgsError} when the arguments are not the command's
 */
export function parseClassicCommand(envelope: RequestEnvelope, options: ParseCommandOptions): Command {
  const name = findCommandName(methodOf(envelope))
  if (!isClassicCommandName(name))
    throw new MethodError(
      'This command is not for the classic mode of the pipe: give the request an Id, or use the command line or an XML file.',
    )
  return parseCommand(name, envelope.args, options)
}
