import {
  commands,
  isServiceLinkError,
  readSessionResult,
  type SessionCallName,
  type SessionResult,
} from '@service-link/protocol-core'
import { PipeReplyError } from '../errors/pipe-error.ts'

/**
 * Checks the result of a call; one that is nothing, or text, without a schema.
 *
 * @throws {PipeReplyError} when it has another shape than the call's
 */
export function readResult<Name extends SessionCallName>(name: Name, result: unknown): SessionResult<Name> {
  const reply = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands].reply : undefined
  if (reply === 'none') return undefined as SessionResult<Name>
  if (reply === 'text' && typeof result === 'string') return result as SessionResult<Name>
  try {
    return readSessionResult(name, result)
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    throw new PipeReplyError(error.message)
  }
}
