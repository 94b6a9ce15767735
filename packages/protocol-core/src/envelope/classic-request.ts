import { type Command, findCommandName, type ParseCommandOptions, parseCommand } from '../command/command.ts'
import { type ClassicCommandName, isClassicCommandName } from '../command/command-table.ts'
import { ArgsError, JsonError, MethodError } from '../errors/command-error.ts'
import { decodeJson } from '../frame/decode-text.ts'
import { foldNames } from '../text/fold-names.ts'

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
 * @throws {MethodError} when it names no command, or one that is not for the pipe
 * @throws {ArgsError} when the arguments are not the command's
 */
export function parseClassicRequest(body: Uint8Array, options: ParseCommandOptions): Command {
  const { method, args } = readRequestEnvelope(decodeJson(body))
  const name = findCommandName(method)
  if (!isClassicCommandName(name))
    throw new MethodError('This command is not for the pipe: use the command line or an XML file.')
  return parseCommand(name, args, options)
}

/** Finds the members of a request envelope without regard to case. */
export function readRequestEnvelope(value: unknown): { readonly method: string; readonly args: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new JsonError('A request must be a JSON object with the members Method and Args.')
  const { known, issues } = foldNames<unknown>(Object.entries(value), ['Method', 'Args'])
  if (issues.length > 0) throw new ArgsError(issues)
  if (typeof known.Method !== 'string')
    throw new MethodError('The request has no member Method that is text.')
  return { method: known.Method, args: known.Args }
}
