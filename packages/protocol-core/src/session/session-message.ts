import * as z from 'zod/mini'
import {
  type CommandDefinition,
  type CommandName,
  type CommandResult,
  commands,
} from '../command/command-table.ts'
import { codeSchema, readReply, sentenceSchema } from '../envelope/classic.ts'
import { hasArgs, type SessionId, sessionIdSchema } from '../envelope/request-envelope.ts'
import {
  ArgsError,
  type ArgsIssue,
  type CommandErrorCode,
  commandCodeOf,
  WebAppError,
} from '../errors/command-error.ts'
import type { ServiceLinkError } from '../errors/define-error.ts'
import { decodeJson } from '../frame/frame.ts'
import { described } from '../schema/facts.ts'
import { orElse, toWire } from '../schema/names.ts'
import { looseObject, object } from '../schema/object.ts'
import {
  isEventName,
  type SessionEvent,
  type SessionMethodName,
  sessionEvents,
  sessionMethods,
} from './session-table.ts'

/** Version of the session mode that this library speaks, as `hello` tells it. */
export const sessionProtocol = 1

/** Name of a command or method in session mode. */
export type SessionCallName = CommandName | SessionMethodName

/** Result of a request in session mode; `undefined`, which travels as null, for a command without a reply. */
export type SessionResult<Name extends SessionCallName> = Name extends SessionMethodName
  ? z.output<(typeof sessionMethods)[Name]['reply']>
  : Name extends CommandName
    ? CommandResult<Name>
    : never

const calls: Readonly<Record<SessionCallName, Pick<CommandDefinition, 'reply'>>> = {
  ...commands,
  ...sessionMethods,
}

/** Arguments of a request in session mode, as they travel. */
export type SessionArgs = Readonly<Record<string, unknown>>

/**
 * Writes the body of a request in session mode, `{"Id": …, "Method": "<name>", "Args": {…}}`.
 *
 * @param args arguments as they travel. Leaves out members that are `undefined`, and `Args` without any member
 */
export function writeSessionRequest(id: SessionId, name: SessionCallName, args?: SessionArgs): string {
  return JSON.stringify(hasArgs(args) ? { Id: id, Method: name, Args: args } : { Id: id, Method: name })
}

/** Most issues that travel. The message tells how many there are. */
const maxSentIssues = 100

/**
 * Writes the body of a reply in session mode, `{"Id": …, "Result": …}`, with `"Warnings": […]` if there are any.
 *
 * @param name method of the request
 * @param result a JSON value; `undefined` travels as null
 * @param warnings fields of the request that were left out, and dates that a culture read
 * @throws {RangeError} if the result is nested some thousands deep, or longer as text than a string may be
 */
export function writeSessionReply(
  id: SessionId,
  name: SessionCallName,
  result: unknown,
  warnings: readonly ArgsIssue[] = [],
): string {
  const reply = { Id: id, Result: toWire(calls[name].reply, result) ?? null }
  const sent = warnings.slice(0, maxSentIssues)
  return JSON.stringify(sent.length > 0 ? { ...reply, Warnings: sent } : reply)
}

/**
 * Writes the body of a failure in session mode. `Details` of `ERR_ARGS` has the `issues` of the arguments. A code that is
 * not a command's travels as `ERR_WEB_APP`.
 *
 * @param id id of the failed request; null if the request has no readable one
 */
export function writeSessionFailure(id: SessionId | null, error: ServiceLinkError): string {
  const details = error instanceof ArgsError ? { issues: error.issues.slice(0, maxSentIssues) } : undefined
  const { code, message } = error
  return JSON.stringify({ Id: id, Error: { Code: commandCodeOf(code), Message: message, Details: details } })
}

/** Writes the body of an event in session mode, `{"Event": "<name>", "Data": …}`. */
export function writeSessionEvent({ event, data }: SessionEvent): string {
  return JSON.stringify({ Event: event, Data: toWire(sessionEvents[event].data, data) })
}

const issueSchema = object({
  path: described(z.string(), 'Which argument, as a dotted path; empty for all of them'),
  problem: described(z.string(), 'What is wrong there, without the value'),
})

/** Leaves out what has another shape: the reply counts. */
function readWarnings(value: unknown): ArgsIssue[] {
  return Array.isArray(value) ? value.filter(warning => z.safeParse(issueSchema, warning).success) : []
}

/** A reply to a request that was carried out. */
export const sessionReplySchema = looseObject({
  Id: described(sessionIdSchema, 'Of the request'),
  Result: described(
    z.unknown().check(z.refine(result => result !== undefined)),
    'As <method>.reply.json says; null for a command that answers with nothing',
  ),
  Warnings: described(
    z.optional(z.pipe(z.transform(readWarnings), z.array(issueSchema))),
    'Optional fields of the request that could not be read and were left out',
  ),
})

const failureSchema = looseObject({
  Code: codeSchema,
  Message: orElse(sentenceSchema, 'The wrapper did not say why.'),
  Details: described(
    orElse(z.nullish(looseObject({ issues: z.optional(z.array(issueSchema)) })), undefined),
    'Of ERR_ARGS: the arguments at fault',
  ),
})

/** A reply to a request that failed. */
export const sessionFailureSchema = looseObject({
  Id: described(z.nullable(sessionIdSchema), 'Of the request; null where it could not be read'),
  Error: orElse(failureSchema, { Code: undefined, Message: undefined, Details: undefined }),
})

/** The failure of a request in session mode. */
interface SessionFailure {
  /** Stable code. An unknown code counts as `ERR_WEB_APP`. */
  readonly code: CommandErrorCode
  /** One sentence for the developer. */
  readonly message: string
  /** Further facts, as sent. */
  readonly details: unknown
}

/** A message of a wrapper in session mode. */
export type SessionMessage =
  | {
      readonly type: 'result'
      readonly id: SessionId
      readonly result: unknown
      /** Fields of the request that the wrapper could not read and left out; missing if there are none. */
      readonly warnings?: readonly ArgsIssue[] | undefined
    }
  /** The id is null if the wrapper could not read the id of the request. */
  | { readonly type: 'failure'; readonly id: SessionId | null; readonly failure: SessionFailure }
  | { readonly type: 'event'; readonly event: SessionEvent }
  /** A later wrapper sent an event that this version does not know. */
  | { readonly type: 'unknown-event' }

/**
 * Reads a message of a wrapper in session mode. Ignores unknown members. Takes a result of any depth, because a failure
 * here would end the connection and all its calls.
 *
 * @param body one frame's body
 * @throws {JsonError} if the body is not JSON
 * @throws {WebAppError} if it is neither a reply nor an event, such as a reply of the classic mode
 */
export function readSessionMessage(body: Uint8Array): SessionMessage {
  const value = decodeJson(body, { maxDepth: Number.POSITIVE_INFINITY })
  const { Event: event, Data: data, Error: error } = Object(value)
  if (event !== undefined) return readEvent(event, data)
  const failed = error === undefined ? undefined : z.safeParse(sessionFailureSchema, value).data
  if (failed) return { type: 'failure', id: failed.Id, failure: readFailure(failed.Error) }
  const reply = z.safeParse(sessionReplySchema, value).data
  if (!reply) throw new WebAppError('This is no message of the session mode.')
  const { Id: id, Result: result, Warnings: warnings } = reply
  return { type: 'result', id, result, ...(warnings?.length ? { warnings } : {}) }
}

function readEvent(name: unknown, value: unknown): SessionMessage {
  if (typeof name !== 'string' || !isEventName(name)) return { type: 'unknown-event' }
  const data = readReply(sessionEvents[name].data, value, 'An event has another shape than its own.')
  return { type: 'event', event: { event: name, data } as SessionEvent }
}

function readFailure({ Code, Message, Details }: z.output<typeof failureSchema>): SessionFailure {
  return { code: commandCodeOf(Code), message: Message, details: Details }
}

/**
 * Checks the result of a request in session mode. Ignores the result of a command without a reply.
 *
 * @param name method of the request
 * @param result result of {@link readSessionMessage}
 * @returns the result; `undefined` for a command without a reply
 * @throws {WebAppError} if the result has another shape
 */
export function readSessionResult<Name extends SessionCallName>(
  name: Name,
  result: unknown,
): SessionResult<Name> {
  const problem = 'The reply has another shape than the command’s.'
  return readReply(calls[name].reply, result, problem) as SessionResult<Name>
}
