import { readClassicReply } from '@service-link/protocol-core'
import { PipeRefusedError } from '../errors/pipe-error.ts'

/**
 * Reads a failure out of what came before the session mode began: the wrapper is an older one, or takes no further client.
 *
 * @returns nothing when it is no failure
 * @throws {ServiceLinkError} when it is not even a reply of the classic mode
 */
export function readEarlyRefusal(body: Uint8Array): PipeRefusedError | undefined {
  const outcome = readClassicReply('hide', body)
  return outcome.isFailure ? new PipeRefusedError(outcome.failure.code, outcome.failure.error) : undefined
}
