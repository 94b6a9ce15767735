import {
  isServiceLinkError,
  readSessionResult,
  type SessionCallName,
  type SessionResult,
} from '@service-link/protocol-core'
import { PipeReplyError } from '../errors/pipe-error.ts'

/**
 * Checks the result of a call.
 *
 * @throws {PipeReplyError} when it has another shape than the call's
 */
export function readResult<Name extends SessionCallName>(name: Name, result: unknown): SessionResult<Name> {
  try {
    return readSessionResult(name, result)
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    throw new PipeReplyError(error.message)
  }
}
