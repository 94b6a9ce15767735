import {
  BusyError,
  isServiceLinkError,
  type ServiceLinkError,
  WebAppError,
} from '@service-link/protocol-core'

/** What a client is told of a failure: none that is not ours, whose words might be anybody's. */
export function commandFailure(error: unknown): ServiceLinkError {
  return isServiceLinkError(error) ? error : new WebAppError('The wrapper failed to carry the command out.')
}

/** What a client is told in place of a reply that is longer than a frame may be. */
export function replyTooLong(): ServiceLinkError {
  return new WebAppError('The reply is longer than a frame may be.')
}

/** What a client is told in place of a reply for which there is no room: only lists are that long, and asking for one does nothing. */
export function noRoom(): ServiceLinkError {
  return new BusyError('There is no room for the reply beside what waits to be read. Read it, and ask again.')
}
