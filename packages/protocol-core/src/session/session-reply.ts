import type { SessionId } from '../envelope/request-envelope.ts'
import { ArgsError, type ArgsIssue, commandCodeOf } from '../errors/command-error.ts'
import type { ServiceLinkError } from '../errors/service-link-error.ts'
import type { SessionEvent } from './session-event.ts'

/** What travels as `Details` of a failure, where there are any. */
export interface FailureDetails {
  /** The places in the arguments that were not accepted, of `ERR_ARGS`. */
  readonly issues?: readonly ArgsIssue[]
}

/** Most issues that travel; the sentence tells how many there are. */
const maxSentIssues = 100

/**
 * Writes the body that answers a request in session mode, `{"Id": …, "Result": …}`.
 *
 * @param result a JSON value; `undefined` travels as null
 * @throws {RangeError} when the result is nested some thousands deep, or longer as text than a string may be
 */
export function writeSessionReply(id: SessionId, result: unknown): string {
  return JSON.stringify({ Id: id, Result: result ?? null })
}

/**
 * Writes the body that tells a client in session mode of a failure. A code that is not a command's travels as
 * `ERR_WEB_APP`.
 *
 * @param id of the request that failed; null when what came has none that could be read
 */
export function writeSessionFailure(id: SessionId | null, error: ServiceLinkError): string {
  const details = detailsOf(error)
  return JSON.stringify({
    Id: id,
    Error: {
      Code: commandCodeOf(error.code),
      Message: error.message,
      ...(details ? { Details: details } : {}),
    },
  })
}

/** Writes the body that tells a client in session mode of an event, `{"Event": "<name>", "Data": …}`. */
export function writeSessionEvent({ event, data }: SessionEvent): string {
  return JSON.stringify({ Event: event, Data: data })
}

function detailsOf(error: ServiceLinkError): FailureDetails | undefined {
  return error instanceof ArgsError ? { issues: error.issues.slice(0, maxSentIssues) } : undefined
}
