import { connect } from 'node:net'
import { FrameDecoder } from '@service-link/protocol-core/frame'
import { PipeClosedError, PipeDeniedError, PipeReplyError, PipeTimeoutError } from '../errors/pipe-error.ts'
import { currentPlatform } from '../platform/current-platform.ts'

/** Bounds of one {@link exchange}. */
export interface ExchangeOptions {
  /** Longest wait for the whole call, in milliseconds. */
  readonly timeoutMs: number
  /** How much of it is over already, in milliseconds. */
  readonly spentMs: number
  /** Largest reply body in bytes. */
  readonly maxFrameBytes: number
  readonly signal: AbortSignal | undefined
}

/** What came of one connection. */
export type ExchangeOutcome =
  /** The reply's body, or none because the wrapper just closed the connection. */
  | { readonly isConnected: true; readonly body: Uint8Array | undefined }
  /** A connection that was never made, or that the other end dropped unread, for a reason that may pass. */
  | { readonly isConnected: false; readonly systemCode: string }

/** Not there (yet, or between two clients), or all instances taken. */
const passingCodes = new Set(['ENOENT', 'ECONNREFUSED', 'EAGAIN', 'EBUSY'])

/**
 * Closed with the request, or a part of it, unread: operating systems tell that by these codes, and an end of the stream
 * otherwise. So a server ends that makes its pipe anew between two clients, for all that had connected in the meantime.
 */
const unreadCodes = new Set(['ECONNRESET', 'EPIPE'])

/** What was read last, of whichever connection; whoever keeps a part of it copies it. Made by the first connection. */
let readBuffer: Buffer | undefined

/**
 * Opens one connection, sends one frame in one write, and waits for one frame or the end. The connection is closed
 * whatever comes of it; once the reply is complete, no failure of the connection counts any more.
 *
 * @throws {PipeDeniedError} when the pipe is not this user's own, or the operating system refuses the connection
 * @throws {PipeTimeoutError} when the time is over
 * @throws {PipeClosedError} when the connection breaks, or ends inside the reply
 * @throws {PipeReplyError} when what comes is not a frame, or one above the limit
 * @throws the signal's reason when it is aborted
 */
export function exchange(
  address: string,
  frame: Uint8Array,
  { timeoutMs, spentMs, maxFrameBytes, signal }: ExchangeOptions,
): Promise<ExchangeOutcome> {
  return new Promise((resolve, reject) => {
    readBuffer ??= Buffer.allocUnsafeSlow(64 * 1024)
    // Past the stream's own buffering, of which one request and one reply need nothing.
    const socket = connect({ path: address, onread: { buffer: readBuffer, callback: onRead } })
    let wasSent = false
    let timer: NodeJS.Timeout | undefined
    let decoder: FrameDecoder | undefined

    const release = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      socket.destroy()
    }
    const settle = (outcome: ExchangeOutcome) => {
      release()
      resolve(outcome)
    }
    const fail = (reason: unknown) => {
      release()
      reject(reason)
    }
    const abort = () => fail(signal?.reason)
    function onRead(byteCount: number, buffer: Uint8Array): boolean {
      try {
        const body = decoder?.push(buffer.subarray(0, byteCount))[0]
        if (body)
          settle({ isConnected: true, body: body.buffer === buffer.buffer ? new Uint8Array(body) : body })
      } catch {
        fail(new PipeReplyError('The reply is not a frame, or is longer than the limit.'))
      }
      return true
    }
    const isUnread = (code: string) => unreadCodes.has(code) && !decoder?.isInsideFrame
    const startTimer = () => {
      timer ??= setTimeout(() => fail(new PipeTimeoutError(timeoutMs, wasSent)), timeoutMs - spentMs)
    }

    socket.on('connect', () => {
      // Windows opens another user's pipe for reading alone.
      if (!socket.writable) return fail(new PipeDeniedError('The pipe does not let this user write to it.'))
      wasSent = true
      socket.write(frame)
      // From here on the wrapper is at work, and what is done costs no time.
      startTimer()
      decoder = new FrameDecoder({ maxFrameBytes })
    })
    socket.on('end', () => {
      if (decoder?.isInsideFrame) fail(new PipeClosedError(wasSent))
      else settle({ isConnected: true, body: undefined })
    })
    // Stays attached: a connection may break after it was given up, and that is nobody's concern.
    socket.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      if (code === 'EACCES' || code === 'EPERM')
        fail(new PipeDeniedError('The operating system does not let this user open the pipe.'))
      else if ((!wasSent && passingCodes.has(code)) || isUnread(code))
        settle({ isConnected: false, systemCode: code })
      else fail(new PipeClosedError(wasSent, code))
    })
    signal?.addEventListener('abort', abort, { once: true })
    if (currentPlatform.canConnectingTakeTime) startTimer()
    try {
      currentPlatform.assertOwn(address)
    } catch (error) {
      fail(error)
    }
  })
}
