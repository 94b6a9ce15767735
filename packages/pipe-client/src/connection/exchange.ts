import type { Socket } from 'node:net'
import { FrameDecoder } from '@service-link/protocol-core/frame'
import { PipeClosedError, PipeReplyError, PipeTimeoutError } from '../errors/pipe-error.ts'
import { currentPlatform } from '../platform/current-platform.ts'
import type { CallBounds } from './call-bounds.ts'
import { connectSocket, type NoConnection } from './connect-socket.ts'

/** Bounds of one {@link exchange}. */
export interface ExchangeOptions extends CallBounds {
  /** Largest reply body in bytes. */
  readonly maxFrameBytes: number
}

/** What came of one connection. */
export type ExchangeOutcome =
  /** The reply's body, or none because the wrapper just closed the connection. */
  | { readonly isConnected: true; readonly body: Uint8Array | undefined }
  /** Also when the other end dropped the connection with the request unread. */
  | NoConnection

/**
 * Opens one connection, sends one frame in one write, and waits for one frame or the end. The connection is closed
 * whatever comes of it; once the reply is complete, no failure of the connection counts any more.
 *
 * @throws {PipeClosedError} when the connection breaks, or ends inside the reply
 * @throws {PipeReplyError} when what comes is not a frame, or one above the limit
 * @throws whatever {@link connectSocket} throws
 */
export async function exchange(
  address: string,
  frame: Uint8Array,
  options: ExchangeOptions,
): Promise<ExchangeOutcome> {
  const startedAt = performance.now()
  const reply = new Reply(options)
  const outcome = await connectSocket(address, bytes => reply.receive(bytes), options)
  if (!outcome.isConnected) return outcome
  return reply.from(outcome.socket, frame, startedAt)
}

/** The one frame that answers a request, or the end of the connection in its place. */
class Reply {
  readonly #options: ExchangeOptions
  readonly #decoder: FrameDecoder
  #settle: (outcome: ExchangeOutcome) => void = () => {}
  #fail: (reason: unknown) => void = () => {}

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#decoder = new FrameDecoder(options)
  }

  receive(bytes: Uint8Array): void {
    try {
      const body = this.#decoder.push(bytes)[0]
      if (body)
        this.#settle({ isConnected: true, body: body.buffer === bytes.buffer ? new Uint8Array(body) : body })
    } catch {
      this.#fail(
        new PipeReplyError(
          'The reply is not a frame, or is longer than the limit. Whether the command had an effect is not known.',
        ),
      )
    }
  }

  from(socket: Socket, frame: Uint8Array, startedAt: number): Promise<ExchangeOutcome> {
    const { timeoutMs, spentMs, signal } = this.#options
    return new Promise((resolve, reject) => {
      const abort = () => this.#fail(signal?.reason)
      const release = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        socket.destroy()
      }
      this.#settle = outcome => {
        release()
        resolve(outcome)
      }
      this.#fail = reason => {
        release()
        reject(reason)
      }
      socket.on('end', () => {
        if (this.#decoder.isInsideFrame) this.#fail(new PipeClosedError(true))
        else this.#settle({ isConnected: true, body: undefined })
      })
      socket.on('error', (error: NodeJS.ErrnoException) => {
        const { code = 'unknown' } = error
        const meaning = this.#decoder.isInsideFrame ? 'unknown' : currentPlatform.meaningOfBreak(error)
        if (meaning === 'unread') this.#settle({ isConnected: false, systemCode: code })
        else if (meaning === 'ended') this.#settle({ isConnected: true, body: undefined })
        else this.#fail(new PipeClosedError(true, code))
      })
      socket.write(frame)
      // From here on the wrapper is at work, and what is done costs no time.
      const expire = () => this.#fail(new PipeTimeoutError(timeoutMs, true))
      const timer = setTimeout(expire, Math.max(0, timeoutMs - spentMs - (performance.now() - startedAt)))
      signal?.addEventListener('abort', abort, { once: true })
      if (signal?.aborted) abort()
    })
  }
}
