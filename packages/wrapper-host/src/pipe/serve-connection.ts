import type { Socket } from 'node:net'
import { ClosingError, decodeRequest, FrameDecoder, maxRequestFrameBytes } from '@service-link/protocol-core'
import { ConnectionExchanges, type OpenExchange } from '../log/exchange-log.ts'
import { answerClassic, failClassic } from './classic-connection.ts'
import { ConnectionInput } from './connection-input.ts'
import type { ConnectionParts, PipeParts } from './pipe-parts.ts'
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
  shared: PipeParts,
  decoder = new FrameDecoder({ maxFrameBytes: maxRequestFrameBytes }),
  bodies: readonly Uint8Array[] = [],
): PipeConnection {
  const parts: ConnectionParts = { ...shared }
  const timer = setTimeout(() => input.isWaiting || socket.destroy(), parts.limits.silenceLimitMs)
  let session: SessionConnection | undefined
  /** Whether a classic request is being carried out. Its answer ends the connection. */
  let isAnswering = false

  // The connection closes by itself after an error.
  socket.on('error', () => undefined)
  socket.once('close', () => {
    release()
    parts.frames?.[Symbol.dispose]()
  })
  const input = new ConnectionInput(socket, decoder, { ...parts, onBody: receiveBody, onEnd })
  input.begin(bodies)
  return {
    close() {
      if (session) session.close()
      else if (isAnswering) socket.destroySoon()
      // An unread request must not end like a command without a reply.
      else fail(new ClosingError())
    },
    release,
  }

  function release(): void {
    clearTimeout(timer)
    input[Symbol.dispose]()
  }

  function receiveBody(body: Uint8Array): void {
    const noted = note(body)
    const serve = () => (session ? session.receive(body) : begin(body))
    noted ? noted.run(serve) : serve()
  }

  /** A client may turn the log to debug while others are connected. */
  function note(body: Uint8Array): OpenExchange | undefined {
    const exchanges = shared.log?.exchanges
    if (exchanges) parts.frames ??= new ConnectionExchanges(exchanges)
    return parts.frames?.received(body)
  }

  function begin(body: Uint8Array): void {
    clearTimeout(timer)
    try {
      const first = decodeRequest(body)
      if (first.id !== undefined) {
        session = new SessionConnection(socket, input, parts)
        session.receiveRequest(first, body.length)
        return
      }
      isAnswering = true
      release()
      void answerClassic(socket, first, body.length, parts)
    } catch (error) {
      fail(error)
    }
  }

  function onEnd(error?: unknown, bytes?: Uint8Array): void {
    if (session) session.end(error)
    else if (error) {
      if (bytes) note(bytes)
      fail(error)
    } else socket.destroy()
  }

  /** Answers bytes that are no request in the classic mode. */
  function fail(error: unknown): void {
    release()
    failClassic(socket, error, parts)
  }
}
