import type { Socket } from 'node:net'
import { ClosingError, decodeRequest, FrameDecoder, maxRequestFrameBytes } from '@service-link/protocol-core'
import { answerClassic, failClassic } from './classic-connection.ts'
import type { PipeContext } from './pipe-context.ts'
import { SessionConnection } from './session-connection.ts'

/** One client. */
export interface PipeConnection {
  /** Takes nothing further; ends the connection once the answers on their way are written. */
  close(): void
  /** Takes nothing further. The caller keeps the connection. */
  release(): void
}

/**
 * Serves one client. Its first frame decides how: a request without an id is a classic one, the connection's only one; a request with
 * an id begins the session mode (design: pipe protocol). A client that sends nothing, half a frame or single bytes is let go when
 * its time is over.
 *
 * @param decoder has the stream so far
 * @param bodies came with it
 */
export function serveConnection(
  socket: Socket,
  context: PipeContext,
  decoder = new FrameDecoder({ maxFrameBytes: maxRequestFrameBytes }),
  bodies: readonly Uint8Array[] = [],
): PipeConnection {
  const timer = setTimeout(() => socket.destroy(), context.limits.silenceLimitMs)
  let session: SessionConnection | undefined
  /** Whether the first request, a classic one, is being carried out: it is answered or ended by that. */
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
      // A request that has not been read must not end like one that was carried out and has no reply.
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

  /** What is large has its turn with what is large of others; nothing further is read meanwhile. */
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
    const first = decodeRequest(body)
    if (first.id !== undefined) {
      session = new SessionConnection(socket, decoder, context, { first: [first, body.length], rest })
      return
    }
    isAnswering = true
    // What comes behind the one request is thrown away, so that the client's own end is seen.
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

  /** Of what is no request, so that its mode is not known. */
  function fail(error: unknown): void {
    stopWaiting()
    socket.resume()
    failClassic(socket, error, context)
  }
}
