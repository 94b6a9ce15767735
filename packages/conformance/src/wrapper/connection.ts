import type { Socket } from 'node:net'
import { ClosingError } from '@service-link/protocol-core/errors'
import { encodeFrame, FrameDecoder, maxReplyFrameBytes } from '@service-link/protocol-core/frame'
import { Arrivals } from '@service-link/protocol-core/time'

/** A connection to the wrapper under test. Its scope ends it. */
export interface WrapperConnection extends Disposable {
  /** Sends one frame. */
  send(body: string): void
  /** Sends bytes as they are. */
  sendBytes(bytes: Uint8Array): void
  /**
   * Waits for the next frame.
   *
   * @returns its body; nothing when the wrapper has ended the connection
   * @throws {Error} if bytes of the wrapper are no frame, or none comes in time
   */
  next(signal: AbortSignal): Promise<Uint8Array | undefined>
}

/** Longest wait for one frame, in milliseconds. */
const frameTimeoutMs = 10_000

/** Reads frames from a socket. */
export function frameConnection(socket: Socket): WrapperConnection {
  const decoder = new FrameDecoder({ maxFrameBytes: maxReplyFrameBytes })
  const frames = new Arrivals<{ readonly body: Uint8Array }>()
  const ended = new ClosingError('The wrapper has ended the connection.')
  const receive = (chunk: Uint8Array) => {
    try {
      for (const body of decoder.push(chunk)) frames.add({ body: Uint8Array.from(body) })
    } catch (error) {
      frames.end(error instanceof Error ? error : ended)
      socket.destroy()
    }
  }
  const end = () => frames.end(decoder.isInsideFrame ? new Error('The wrapper ended inside a frame.') : ended)
  socket.on('data', receive)
  socket.on('end', end)
  socket.on('close', end)
  socket.on('error', () => undefined)
  return {
    send: body => void socket.write(encodeFrame(body)),
    sendBytes: bytes => void socket.write(bytes),
    async next(signal) {
      const late = () => new Error(`Nothing came from the wrapper within ${frameTimeoutMs} ms.`)
      try {
        return (await frames.next({ timeoutMs: frameTimeoutMs, signal }, late)).body
      } catch (error) {
        if (error === ended) return undefined
        throw error
      }
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
