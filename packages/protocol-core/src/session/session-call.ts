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

/** A request in session mode: a command of the table, or a method about the connection. */
export type SessionCall = Command | SessionMethod

/** Name of a command or method in session mode. */
export type SessionCallName = CommandName | SessionMethodName

/** Result of a request in session mode; `undefined`, which travels as null, for a command without a reply. */
export type SessionResult<Name extends SessionCallName> = Name extends SessionMethodName
  ? z.output<(typeof sessionMethods)[Name]['reply']>
  : Name extends CommandName
    ? CommandResult<Name>
    : never

/** Tells a method about the connection from a command. */
export function isSessionMethod(call: SessionCall): call is SessionMethod {
  return Object.hasOwn(sessionMethods, call.name)
}

/**
 * Parses a request in session mode, which knows every command. Ignores the case of names, and unknown arguments.
 *
 * @param envelope a request with an id
 * @throws {MethodError} if it names neither a command nor a method of the session mode
 * @throws {ArgsError} if an argument is wrong, or two spellings of a member of the request have different values
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
 * @param args arguments as they travel. Leaves out members that are `undefined`, and `Args` without any member
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
