import type { z } from 'zod'
import {
  type Command,
  type CommandResult,
  findCommandName,
  type ParseCommandOptions,
  parseArgs,
  parseCommand,
} from '../command/command.ts'
import type { CommandName } from '../command/command-table.ts'
import { hasArgs, methodOf, type RequestEnvelope, type SessionId } from '../envelope/request-envelope.ts'
import { findSessionMethodName, type SessionMethodName, sessionMethods } from './session-table.ts'

/** A method of the session mode with its arguments. */
export type SessionMethod = {
  [Name in SessionMethodName]: {
    readonly name: Name
    readonly args: z.output<(typeof sessionMethods)[Name]['args']>
  }
}[SessionMethodName]

/** What a request in session mode asks for: any command of the table, or something about the connection. */
export type SessionCall = Command | SessionMethod

/** Name of whatever can be asked in session mode. */
export type SessionCallName = CommandName | SessionMethodName

/** Value that a request in session mode is answered with; `undefined`, which travels as null, where there is none. */
export type SessionResult<Name extends SessionCallName> = Name extends SessionMethodName
  ? z.output<(typeof sessionMethods)[Name]['reply']>
  : Name extends CommandName
    ? CommandResult<Name>
    : never

/** Whether a call is about the connection, and no command. */
export function isSessionMethod(call: SessionCall): call is SessionMethod {
  return Object.hasOwn(sessionMethods, call.name)
}

/**
 * Parses what a request in session mode asks for. Every command is known here, also those that are not classic. Names are
 * matched without regard to case, arguments that are not known are ignored.
 *
 * @param envelope a request with an id
 * @throws {MethodError} when it names neither a command nor a method of the session mode
 * @throws {ArgsError} when the arguments are not its, or two spellings of a member of the request have different values
 * @example
 * ```ts
 * import { decodeRequest, parseSessionCall } from '@service-link/protocol-core'
 *
 * const request = decodeRequest(new TextEncoder().encode('{"Id":7,"Method":"cancel","Args":{"id":6}}'))
 * parseSessionCall(request, { culture: 'nb-NO' }) // { name: 'cancel', args: { id: 6 } }
 * ```
 */
export function parseSessionCall(envelope: RequestEnvelope, options: ParseCommandOptions): SessionCall {
  const method = methodOf(envelope)
  const name = findSessionMethodName(method)
  if (name === undefined) return parseCommand(findCommandName(method), envelope.args, options)
  return { name, args: parseArgs(sessionMethods[name].args, envelope.args) } as SessionMethod
}

/** Arguments of a request in session mode, as they travel. */
export type SessionArgs = Readonly<Record<string, unknown>>

/**
 * Writes the body of a request in session mode, `{"Id": …, "Method": "<name>", "Args": {…}}`.
 *
 * @param args arguments as they travel; a member that is `undefined` is left out, and all of `Args` when there is none
 * @example
 * ```ts
 * import { writeSessionRequest } from '@service-link/protocol-core'
 *
 * writeSessionRequest(7, 'openworkout', { id: 17 }) // '{"Id":7,"Method":"openworkout","Args":{"id":17}}'
 * ```
 */
export function writeSessionRequest(id: SessionId, name: SessionCallName, args?: SessionArgs): string {
  return JSON.stringify(hasArgs(args) ? { Id: id, Method: name, Args: args } : { Id: id, Method: name })
}
