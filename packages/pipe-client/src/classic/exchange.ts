import type { ClassicCommandName } from '@service-link/protocol-core'
import { FrameDecoder, maxReplyFrameBytes } from '@service-link/protocol-core/frame'
import type { NoConnection } from '../connection/keep-connecting.ts'
import { PipeClosedError, PipeDeniedError, PipeReplyError, tellDoubt } from '../errors/pipe-error.ts'
import { currentPlatform } from '../platform/current-platform.ts'
import { connectReading } from '../running/connect-proven.ts'

/** Outcome of one connection. */
type ExchangeOutcome =
  /** Body of the reply; nothing if the wrapper closed the connection without one. */
  | { readonly isConnected: true; readonly body: Uint8Array | undefined }
  /** There was no connection, or the wrapper dropped it with the request unread. */
  | NoConnection

/** Nothing is at the address, or not the same socket as before. */
const absentCode = 'ENOENT'

/** The pipe of one process. Connections to it share what they saw. */
export interface ClassicPipe {
  readonly address: string
  /** Identity at the last look before a connection. */
  seen?: string | undefined
  /** Whether two connections saw the same: further ones look only after connecting. Some servers make their pipe anew for each. */
  isLasting?: boolean
}

/**
 * Codes of failures to connect that pass: the pipe is missing for a moment, all its instances are taken, or the connection
 * was dropped at once. Windows has further errors for a pipe that goes away meanwhile; Node calls some of them `EPIPE` and
 * others `UNKNOWN`.
 */
const passingCodes = new Set([
  absentCode,
  'ECONNREFUSED',
  'EAGAIN',
  'EBUSY',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UNKNOWN',
])

/**
 * Opens one connection to this user's pipe, sends one frame in one write, and waits for one frame or the end. Looks at the
 * pipe before and after connecting, so that another user cannot exchange it in between. The look before may be that of an
 * earlier connection. Closes the connection in any case.
 *
 * @param onSent called when the wrapper may take the request
 * @param command the request's, for the sentences of errors
 */
export function exchange(
  pipe: ClassicPipe,
  frame: Uint8Array,
  signal: AbortSignal,
  onSent: () => void,
  command?: ClassicCommandName,
): Promise<ExchangeOutcome> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const { address } = pipe
    const own = pipe.isLasting ? pipe.seen : currentPlatform.identifyOwn(address)
    if (own === undefined) return resolve({ isConnected: false, systemCode: absentCode })
    pipe.isLasting = own === pipe.seen
    pipe.seen = own
    const decoder = new FrameDecoder({ maxFrameBytes: maxReplyFrameBytes })
    let wasSent = false
    const socket = connectReading(address, receive)
    const abort = () => fail(signal.reason)
    signal.addEventListener('abort', abort)

    function release(): void {
      signal.removeEventListener('abort', abort)
      socket.destroy()
    }

    function settle(outcome: ExchangeOutcome): void {
      release()
      resolve(outcome)
    }

    function fail(reason: unknown): void {
      release()
      reject(reason)
    }

    function receive(bytes: Uint8Array): void {
      try {
        const body = decoder.push(bytes)[0]
        if (!body) return
        settle({ isConnected: true, body: body.buffer === bytes.buffer ? Buffer.from(body) : body })
      } catch {
        const sentence = 'The reply is not a frame, or is longer than the limit.'
        fail(new PipeReplyError(`${sentence}${tellDoubt(command)}`))
      }
    }

    socket.on('connect', () => {
      // Windows opens another user's pipe for reading alone.
      if (!socket.writable) return fail(new PipeDeniedError('The pipe does not let this user write to it.'))
      try {
        if (currentPlatform.identifyOwn(address) !== own) {
          pipe.isLasting = false
          return settle({ isConnected: false, systemCode: absentCode })
        }
      } catch (error) {
        return fail(error)
      }
      wasSent = true
      onSent()
      socket.write(frame)
    })
    socket.on('end', () => {
      if (decoder.isInsideFrame) fail(new PipeClosedError(true))
      else settle({ isConnected: true, body: undefined })
    })
    // The listener stays: a connection may break after the end of the call, and the process must not end by that.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const { code = 'unknown' } = error
      if (!wasSent) {
        if (code === 'EACCES' || code === 'EPERM')
          fail(new PipeDeniedError('The operating system does not let this user open the pipe.'))
        else if (passingCodes.has(code)) settle({ isConnected: false, systemCode: code })
        else fail(new PipeClosedError(false, code))
        return
      }
      const meaning = decoder.isInsideFrame ? 'unknown' : currentPlatform.meaningOfBreak(error)
      if (meaning === 'unread') settle({ isConnected: false, systemCode: code })
      else if (meaning === 'ended') settle({ isConnected: true, body: undefined })
      else fail(new PipeClosedError(true, code))
    })
  })
}
