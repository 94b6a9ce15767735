import { encodeFrame, maxReplyFrameBytes, maxRequestFrameBytes } from '@service-link/protocol-core/frame'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import type { CallBounds } from './call-bounds.ts'
import { exchange } from './exchange.ts'
import { keepConnecting } from './keep-connecting.ts'
import { boundTimeout } from './timeout.ts'

/**
 * Sends one request over a connection of its own. A connection that could not be made, or that the wrapper closed with
 * the request unread, is tried again while the wrapper's process lives; what a wrapper may have read is not sent twice.
 *
 * @returns the reply's body, or `undefined` when the wrapper closed the connection without one
 * @throws {RangeError} when the time-out is negative or not a number
 * @throws {FrameError} when the request is longer than a wrapper accepts
 * @throws whatever connecting throws, see {@link keepConnecting}, or one connection, see {@link exchange}
 */
export async function sendRequest(
  pipe: ListedPipe,
  request: string,
  given: CallBounds,
): Promise<Uint8Array | undefined> {
  const bounds: CallBounds = { ...given, timeoutMs: boundTimeout(given.timeoutMs) }
  given.signal?.throwIfAborted()
  const frame = encodeFrame(request, { maxFrameBytes: maxRequestFrameBytes })
  const { body } = await keepConnecting(pipe, bounds, attempt =>
    exchange(pipe.address, frame, { ...attempt, maxFrameBytes: maxReplyFrameBytes }),
  )
  return body
}
