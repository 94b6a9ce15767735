import * as z from 'zod/mini'
import { writeClassicList } from '../command/classic-list.ts'
import {
  type ClassicCommandName,
  type CommandDefinition,
  type CommandName,
  type CommandReply,
  type CommandResult,
  commands,
} from '../command/command-table.ts'
import { readReply } from '../command/read-reply.ts'
import {
  type CommandErrorCode,
  commandCodeOf,
  commandErrorCodes,
  JsonError,
  WebAppError,
} from '../errors/command-error.ts'
import type { ServiceLinkError } from '../errors/service-link-error.ts'
import { decodeText } from '../frame/frame.ts'
import { described, withJson } from '../schema/facts.ts'
import { anyCase, orElse, toWire } from '../schema/names.ts'
import { looseObject } from '../schema/object.ts'
import { hasArgs } from './request-envelope.ts'

/**
 * Writes the body of a classic request, `{"Method": "<name>", "Args": {…}}` (spec 4.5).
 *
 * @param args arguments as they travel; a member that is `undefined` is left out, and all of `Args` when there is none
 */
export function writeClassicRequest(
  name: ClassicCommandName,
  args?: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify(hasArgs(args) ? { Method: name, Args: args } : { Method: name })
}

/** The code of a failure. An unknown one counts as `ERR_WEB_APP`. */
export const codeSchema = described(
  withJson(orElse(z.string(), ''), { enum: [...commandErrorCodes] }),
  'Stable identifier of the failure',
)

/** One sentence about a failure. */
export const sentenceSchema = described(z.string(), 'One sentence for the developer')

/** The reply to a classic command that failed. */
export const classicFailureSchema = anyCase(looseObject({ error: sentenceSchema, code: codeSchema }))

/** The reply to a classic command that failed. */
export interface ClassicFailure {
  /** One sentence for the developer. */
  readonly error: string
  /** Stable identifier of the failure. */
  readonly code: CommandErrorCode
}

/** A classic reply: the result or the failure. */
export type ClassicOutcome<Name extends CommandName> =
  | { readonly isFailure: false; readonly result: CommandResult<Name> }
  | { readonly isFailure: true; readonly failure: ClassicFailure }

/**
 * Writes the body of a classic reply (design: pipe protocol).
 *
 * @returns the text, or `undefined` when the command answers with nothing and the connection just closes
 * @throws {RangeError} when the result is nested some thousands deep, or longer as text than a string may be
 */
export function writeClassicReply<Name extends CommandName>(
  name: Name,
  result: CommandResult<Name>,
): string | undefined {
  const { reply }: CommandDefinition = commands[name]
  if (reply === 'none') return undefined
  if (reply === 'text') return String(result)
  return JSON.stringify(Array.isArray(result) ? writeClassicList(reply, result) : toWire(reply, result))
}

/**
 * Writes the body that tells a classic client of a failure: a sentence and a code, nothing else. A code that is not a
 * command's travels as `ERR_WEB_APP`.
 */
export function writeClassicFailure(error: ServiceLinkError): string {
  return JSON.stringify({ error: error.message, code: commandCodeOf(error.code) } satisfies ClassicFailure)
}

/**
 * Reads a classic reply. An object with a text `error` is a failure, whatever the command; a code that this version does
 * not know counts as `ERR_WEB_APP`. What a wrapper sends to a command that has no reply is not looked at otherwise.
 *
 * @param body the reply's frame, or `undefined` when the wrapper closed the connection without one
 * @throws {JsonError} when the reply is not text, or not JSON where the command's reply is JSON
 * @throws {WebAppError} when it is missing, or has another shape than the command's reply
 */
export function readClassicReply<Name extends CommandName>(
  name: Name,
  body: Uint8Array | undefined,
): ClassicOutcome<Name> {
  const { reply }: CommandDefinition = commands[name]
  if (!body) return { isFailure: false, result: readAbsence(reply) as CommandResult<Name> }
  const text = decodeText(body)
  const value = typeof reply === 'object' || text.trimStart().startsWith('{') ? readJson(text) : undefined
  const failure = readFailure(value)
  if (failure) return { isFailure: true, failure }
  return { isFailure: false, result: readResult(reply, text, value) as CommandResult<Name> }
}

function readAbsence(reply: CommandReply): undefined {
  if (reply !== 'none')
    throw new WebAppError('The wrapper closed the connection without the reply that this command has.')
}

function readResult(reply: CommandReply, text: string, value: unknown): unknown {
  if (reply === 'none') return undefined
  if (reply === 'text') return text
  if (value === undefined) throw new JsonError('The reply is not JSON.')
  return readReply(reply, value, 'The reply has another shape than the command’s.')
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Reads the failure that a classic reply tells, whatever the command; `undefined` for a reply that tells none.
 *
 * @throws {JsonError} when the reply is not text
 */
export function readClassicFailure(body: Uint8Array): ClassicFailure | undefined {
  return readFailure(readJson(decodeText(body)))
}

/** Programs that write each member of their type send a blank `error`, and perhaps a blank code, with a success. */
function readFailure(value: unknown): ClassicFailure | undefined {
  const { error = '', code = '' } = z.safeParse(classicFailureSchema, value).data ?? {}
  return error.trim() === '' && code.trim() === '' ? undefined : { error, code: commandCodeOf(code) }
}
