import { connect } from 'node:net'
import { FrameDecoder } from '@service-link/protocol-core/frame'
import { PipeClosedError, PipeDeniedError, PipeReplyError, PipeTimeoutError } from '../errors/pipe-error.ts'

/** Bounds of one {@link exchange}. */
export interface ExchangeOptions {
  /** Longest wait from now to the end of the reply, in milliseconds. */
  readonly timeoutMs: number
  /** Largest reply body in bytes. */
  readonly maxFrameBytes: number
  readonly signal: AbortSignal | undefined
}

/** A connection that was never made, for a reason that may pass: nothing was sent. */
export interface NotConnected {
  readonly systemCode: string
}

/** What came of one connection: the reply's body, no body because the wrapper just closed, or no connection. */
export type ExchangeOutcome =
  | { readonly body: Uint8Array | undefined; readonly notConnected?: undefined }
  | { readonly notConnected: NotConnected }

/** Not there (yet, or between two clients), or all instances taken. */
const passingCodes = new Set(['ENOENT', 'ECONNREFUSED', 'EAGAIN', 'EBUSY'])

/**
 * Opens one connection, sends one frame in one write, and waits for one frame or the end. The connection is closed
 * whatever comes of it; once the reply is complete, no failure of the connection counts any more.
 *
 * @throws {PipeDeniedError} when the operating system refuses the connection
 * @throws {PipeTimeoutError} when the time is over
 * @throws {PipeClosedError} when the connection breaks, or ends inside the reply
 * @throws {PipeReplyError} when what comes is not a frame, or one above the limit
 * @throws the signal's reason when it is aborted
 */
export function exchange(
  address: string,
  frame: Uint8Array,
  { timeoutMs, maxFrameBytes, signal }: ExchangeOptions,
): Promise<ExchangeOutcome> {
  return new Promise((resolve, reject) => {
    const decoder = new FrameDecoder({ maxFrameBytes })
    const socket = connect(address)
    let wasSent = false
    const timer = setTimeout(() => fail(new PipeTimeoutError(timeoutMs, wasSent)), timeoutMs)
    const abort = () => fail(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })

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

    socket.on('connect', () => {
      // Windows opens another user's pipe for reading alone.
      if (!socket.writable) return fail(new PipeDeniedError('The pipe does not let this user write to it.'))
      wasSent = true
      socket.write(frame)
    })
    socket.on('data', (chunk: Buffer) => {
      let body: Uint8Array | undefined
      try {
        body = decoder.push(chunk)[0]
      } catch {
        return fail(new PipeReplyError('The reply is not a frame, or is longer than the limit.'))
      }
      if (body) settle({ body })
    })
    socket.on('end', () => {
      if (decoder.isInsideFrame) fail(new PipeClosedError(wasSent))
      else settle({ body: undefined })
    })
    // Stays attached: a connection may break after it was given up, and that is nobody's concern.
    socket.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      if (code === 'EACCES' || code === 'EPERM')
        fail(new PipeDeniedError('The operating system does not let this user open the pipe.'))
      else if (!wasSent && passingCodes.has(code)) settle({ notConnected: { systemCode: code } })
      else fail(new PipeClosedError(wasSent, code))
    })
  })
}
