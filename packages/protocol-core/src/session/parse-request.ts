import type * as z from 'zod/mini'
import {
  type Command,
  findCommandName,
  type ParseCommandOptions,
  parseArgs,
  parseCommand,
} from '../command/command.ts'
import { commandNames, isClassicCommandName } from '../command/command-table.ts'
import { methodOf, type RequestEnvelope } from '../envelope/request-envelope.ts'
import { MethodError } from '../errors/command-error.ts'
import { type SessionMethodName, sessionMethods } from './session-table.ts'

const classicNames = commandNames.filter(isClassicCommandName)
const sessionNames = [...Object.keys(sessionMethods), ...commandNames]
const notClassic = 'This command is not for the classic mode of the pipe: give the request an Id'

/**
 * Parses the command of a classic request. Names are matched without regard to case, arguments that are not known are
 * ignored.
 *
 * @param envelope a request; its id is ignored
 * @returns the command, its arguments parsed
 * @throws {MethodError} when it names no command, or one that is not for the classic mode
 * @throws {ArgsError} when the arguments are not the command's, or two spellings of a member of the request have different
 *   values
 */
export function parseClassicCommand(envelope: RequestEnvelope, options: ParseCommandOptions): Command {
  const method = methodOf(envelope)
  if (isMethodName(foldMethod(method))) throw new MethodError(`${notClassic}.`)
  const name = findCommandName(method, classicNames)
  if (!isClassicCommandName(name))
    throw new MethodError(`${notClassic}, or use the command line or an XML file.`)
  return parseCommand(name, envelope.args, options)
}

/** A method of the session mode with its arguments. */
export type SessionMethod = {
  [Name in SessionMethodName]: {
    readonly name: Name
    readonly args: z.output<(typeof sessionMethods)[Name]['args']>
  }
}[SessionMethodName]

/** A request in session mode: a command of the table, or a method about the connection. */
export type SessionCall = Command | SessionMethod

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
 */
export function parseSessionCall(envelope: RequestEnvelope, options: ParseCommandOptions): SessionCall {
  const method = methodOf(envelope)
  const name = foldMethod(method)
  if (!isMethodName(name)) return parseCommand(findCommandName(method, sessionNames), envelope.args, options)
  return { name, args: parseArgs(sessionMethods[name].args, envelope.args) } as SessionMethod
}

const foldMethod = (method: string) => method.trim().toLowerCase()

function isMethodName(text: string): text is SessionMethodName {
  return Object.hasOwn(sessionMethods, text)
}
