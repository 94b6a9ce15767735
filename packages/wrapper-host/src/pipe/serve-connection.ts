import type { Socket } from 'node:net'
import { ClosingError, decodeRequest, FrameDecoder, maxRequestFrameBytes } from '@service-link/protocol-core'
import { ConnectionTap } from '../tap/connection-tap.ts'
import { answerClassic, failClassic } from './classic-connection.ts'
import type { ConnectionContext, PipeContext } from './pipe-context.ts'
import { SessionConnection } from './session-connection.ts'

export interface PipeConnection {
  /** Takes no further request, writes the last answers, and ends the connection. */
  close(): void
  /** Takes no further request. The caller keeps the connection. */
  release(): void
}

/**
 * Serves one client. A first request without an id is a classic one, and the only one of the connection. A first request with an
 * id begins the session mode (design: pipe protocol). A client without a whole frame in time loses the connection.
 */
export function serveConnection(
  socket: Socket,
  shared: PipeContext,
  decoder = new FrameDecoder({ maxFrameBytes: maxRequestFrameBytes }),
  bodies: readonly Uint8Array[] = [],
): PipeConnection {
  const frames = shared.tap && new ConnectionTap(shared.tap)
  const context: ConnectionContext = frames ? { ...shared, frames } : shared
  const timer = setTimeout(() => socket.destroy(), context.limits.silenceLimitMs)
  let session: SessionConnection | undefined
  /** Whether a classic request is being carried out. Its answer ends the connection. */
  let isAnswering = false

  // The connection closes by itself after an error.
  socket.on('error', () => undefined)
  socket.on('close', stopWaiting)
  socket.on('data', onData)
  socket.on('end', onEnd)
  if (bodies.length > 0) takeBodies(bodies)
  return {
    close() {
      if (session) session.close()
      else if (isAnswering) socket.destroySoon()
      // An unread request must not end like a command without a reply.
      else fail(new ClosingError())
    },
    release: stopWaiting,
  }

  function stopWaiting(): void {
    clearTimeout(timer)
    socket.off('close', stopWaiting).off('data', onData).off('end', onEnd)
  }

  function onData(chunk: Uint8Array): void {
    try {
      takeBodies(decoder.push(chunk))
    } catch (error) {
      frames?.received(chunk)
      fail(error)
    }
  }

  function takeBodies([body, ...rest]: readonly Uint8Array[]): void {
    try {
      if (!body) return
      stopWaiting()
      if (body.length <= context.limits.bytesPerTurn) begin(body, rest)
      else beginLater(body, rest)
    } catch (error) {
      fail(error)
    }
  }

  /** Parses a large body in a turn that all connections share. Reads nothing meanwhile. */
  function beginLater(body: Uint8Array, rest: readonly Uint8Array[]): void {
    socket.pause()
    context.largeBodies.add(() => {
      if (socket.destroyed || socket.writableEnded) return
      socket.resume()
      try {
        begin(body, rest)
      } catch (error) {
        fail(error)
      }
    })
  }

  function begin(body: Uint8Array, rest: readonly Uint8Array[]): void {
    frames?.received(body)
    const first = decodeRequest(body)
    if (first.id !== undefined) {
      session = new SessionConnection(socket, decoder, context, { first: [first, body.length], rest })
      return
    }
    isAnswering = true
    // Reads on, and drops the bytes, so that the end of the client is seen.
    socket.resume()
    void answerClassic(socket, first, body.length, context)
  }

  function onEnd(): void {
    try {
      decoder.end()
      socket.destroy()
    } catch (error) {
      fail(error)
    }
  }

  /** Answers bytes that are no request in the classic mode. */
  function fail(error: unknown): void {
    stopWaiting()
    socket.resume()
    failClassic(socket, error, context)
  }
}
