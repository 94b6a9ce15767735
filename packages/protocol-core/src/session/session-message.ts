import { type CommandReply, commands, isCommandName } from '../command/command-table.ts'
import { isSessionId, type SessionId } from '../envelope/request-envelope.ts'
import { type CommandErrorCode, commandCodeOf, WebAppError } from '../errors/command-error.ts'
import { decodeJson } from '../frame/frame.ts'
import type { SessionCallName, SessionResult } from './session-call.ts'
import { isEventName, type SessionEvent, sessionEvents } from './session-event.ts'
import { sessionMethods } from './session-method.ts'

/** Why a request in session mode failed, as the wrapper tells it. */
interface SessionFailure {
  /** Stable identifier of the failure; one that this version does not know counts as `ERR_WEB_APP`. */
  readonly code: CommandErrorCode
  /** One sentence for the developer. */
  readonly message: string
  /** Further facts, as sent. */
  readonly details: unknown
}

/** What a wrapper sends in session mode. */
export type SessionMessage =
  | { readonly type: 'result'; readonly id: SessionId; readonly result: unknown }
  /** The id is null when the wrapper could not read the request's. */
  | { readonly type: 'failure'; readonly id: SessionId | null; readonly failure: SessionFailure }
  | { readonly type: 'event'; readonly event: SessionEvent }
  /** An event that this version does not know. */
  | { readonly type: 'unknown-event' }

/**
 * Reads what a wrapper sends in session mode. Members that are not known are ignored. A result may be nested as deep as
 * the web app made it: what fails here ends the connection, and with it the calls of others.
 *
 * @param body one frame's body
 * @throws {JsonError} when it is not JSON
 * @throws {WebAppError} when it is neither a reply nor an event, as the reply of a wrapper that has the classic mode alone
 * @example
 * ```ts
 * import { readSessionMessage } from '@service-link/protocol-core'
 *
 * const message = readSessionMessage(new TextEncoder().encode('{"Id":7,"Result":"3.0.0.0"}'))
 * if (message.type === 'result') console.log(message.id, message.result) // 7 '3.0.0.0'
 * ```
 */
export function readSessionMessage(body: Uint8Array): SessionMessage {
  const value = decodeJson(body, { maxDepth: Number.POSITIVE_INFINITY })
  if (typeof value !== 'object' || value === null)
    throw new WebAppError('This is no message of the session mode.')
  if ('Event' in value) return readEvent(value.Event, 'Data' in value ? value.Data : null)
  const id = 'Id' in value ? value.Id : undefined
  if ('Error' in value && (id === null || isSessionId(id)))
    return { type: 'failure', id, failure: readFailure(value.Error) }
  if ('Result' in value && isSessionId(id)) return { type: 'result', id, result: value.Result }
  throw new WebAppError('This is no message of the session mode.')
}

function readEvent(name: unknown, value: unknown): SessionMessage {
  if (typeof name !== 'string' || !isEventName(name)) return { type: 'unknown-event' }
  const { success, data } = sessionEvents[name].data.safeParse(value ?? null)
  if (!success) throw new WebAppError('An event has another shape than its own.')
  return { type: 'event', event: { event: name, data } as SessionEvent }
}

function readFailure(error: unknown): SessionFailure {
  const members = typeof error === 'object' && error !== null ? error : {}
  const message = 'Message' in members ? members.Message : undefined
  return {
    code: commandCodeOf('Code' in members ? members.Code : undefined),
    message: typeof message === 'string' ? message : 'The wrapper did not say why.',
    details: 'Details' in members ? members.Details : undefined,
  }
}

/**
 * Checks the result of a request in session mode. What comes for a command that answers with nothing is not looked at.
 *
 * @param name what was asked
 * @param result as {@link readSessionMessage} read it
 * @returns the value; `undefined` for a command that answers with nothing
 * @throws {WebAppError} when it has another shape
 */
export function readSessionResult<Name extends SessionCallName>(
  name: Name,
  result: unknown,
): SessionResult<Name> {
  return checkReply(replyOf(name), result) as SessionResult<Name>
}

function replyOf(name: SessionCallName): CommandReply {
  return isCommandName(name) ? commands[name].reply : sessionMethods[name].reply
}

function checkReply(reply: CommandReply, result: unknown): unknown {
  if (reply === 'none') return undefined
  if (reply === 'text' && typeof result === 'string') return result
  const parsed = reply === 'text' ? undefined : reply.safeParse(result)
  if (!parsed?.success) throw new WebAppError('The reply has another shape than the command’s.')
  return parsed.data
}
