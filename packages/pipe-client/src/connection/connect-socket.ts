import { connect, type Socket } from 'node:net'
import { PipeClosedError, PipeDeniedError, PipeTimeoutError } from '../errors/pipe-error.ts'
import { currentPlatform } from '../platform/current-platform.ts'
import type { CallBounds } from './call-bounds.ts'

/** A connection that was never made, for a reason that may pass. */
export interface NoConnection {
  readonly isConnected: false
  readonly systemCode: string
}

/** What came of {@link connectSocket}. */
export type ConnectOutcome = NoConnection | { readonly isConnected: true; readonly socket: Socket }

/** Nothing is there, or not what was there before. */
const absentCode = 'ENOENT'

/**
 * Not there (yet, or between two clients), all instances taken, or made and dropped at once. Windows has errors of its own for a pipe
 * that goes away while its client waits for room or connects, of which Node knows some as EPIPE, and others not at all.
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

/** Bytes of the connection that reads at this moment. A reader copies what it keeps. Made by the first connection. */
let readBuffer: Buffer | undefined

/**
 * Opens one connection to this user's own pipe. It looks at the pipe before and after connecting: another user cannot put a pipe of
 * their own there in between. A connection that fails later never ends the process, even where nobody listens to its event `error`.
 *
 * @param onRead told of all that comes in, as part of a buffer that the next bytes overwrite
 * @throws {PipeDeniedError} when the pipe is not this user's own, or the operating system refuses the connection
 * @throws {PipeTimeoutError} when the time is over
 * @throws {PipeClosedError} when the connection fails for a reason that does not pass
 * @throws the signal's reason when it is aborted
 */
export function connectSocket(
  address: string,
  onRead: (bytes: Uint8Array) => void,
  { timeoutMs, spentMs, signal }: CallBounds,
): Promise<ConnectOutcome> {
  return new Promise((resolve, reject) => {
    const own = currentPlatform.identifyOwn(address)
    if (own === undefined) return resolve({ isConnected: false, systemCode: absentCode })
    readBuffer ??= Buffer.allocUnsafeSlow(64 * 1024)
    const callback = (byteCount: number, buffer: Uint8Array) => {
      onRead(buffer.subarray(0, byteCount))
      return true
    }
    // Past the stream's own buffering, of which frames need nothing.
    const socket = connect({ path: address, onread: { buffer: readBuffer, callback } })
    let timer: NodeJS.Timeout | undefined

    const release = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const giveUp = () => {
      release()
      socket.destroy()
    }
    const fail = (reason: unknown) => {
      giveUp()
      reject(reason)
    }
    const pass = (systemCode: string) => {
      giveUp()
      resolve({ isConnected: false, systemCode })
    }
    const abort = () => fail(signal?.reason)

    socket.on('connect', () => {
      // Windows opens another user's pipe for reading alone.
      if (!socket.writable) return fail(new PipeDeniedError('The pipe does not let this user write to it.'))
      try {
        if (currentPlatform.identifyOwn(address) !== own) return pass(absentCode)
      } catch (error) {
        return fail(error)
      }
      release()
      resolve({ isConnected: true, socket })
    })
    // Stays attached: a connection may break after it was given up, and that is nobody's concern.
    socket.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      if (code === 'EACCES' || code === 'EPERM')
        fail(new PipeDeniedError('The operating system does not let this user open the pipe.'))
      else if (passingCodes.has(code)) pass(code)
      else fail(new PipeClosedError(false, code))
    })
    signal?.addEventListener('abort', abort, { once: true })
    if (currentPlatform.canConnectingTakeTime)
      timer = setTimeout(() => fail(new PipeTimeoutError(timeoutMs, false)), Math.max(0, timeoutMs - spentMs))
  })
}
