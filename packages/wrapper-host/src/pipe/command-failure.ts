import { isServiceLinkError, type ServiceLinkError, WebAppError } from '@service-link/protocol-core'

/** What a client is told of a failure: none that is not ours, whose words might be anybody's. */
export function commandFailure(error: unknown): ServiceLinkError {
  return isServiceLinkError(error) ? error : new WebAppError('The wrapper failed to carry the command out.')
}

/** What a client is told in place of a reply that is longer than a frame may be. */
export function replyTooLong(): ServiceLinkError {
  return new WebAppError('The reply is longer than a frame may be.')
}
