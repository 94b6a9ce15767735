import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'

/** Answers one request; `env` gives the connection it came by. */
export type FetchHandler = (request: Request, env: HttpBindings) => Response | Promise<Response>

/** A server that listens. */
export interface Listening {
  /** The port that it got; the one asked for unless that was 0. */
  readonly port: number
  /** Has the handler answer from now on; requests that came earlier wait for it. */
  answer(handler: FetchHandler): void
  /** The same for a handler that writes its answer by itself, as libraries for Node's own server do. */
  answerDirectly(listener: RequestListener): void
  /**
   * Goes on as before, but each answer ends its connection: who keeps connections, such as a proxy, gets none cut off later
   * over which it is just sending a request.
   */
  announceEnd(): void
  /**
   * Takes no further connection, lets running requests finish and ends each connection after its answer; what still runs after
   * the grace is cut off.
   *
   * @param graceMs in milliseconds. Default 10,000
   */
  close(graceMs?: number): Promise<void>
}

/**
 * Opens a port before the handler exists, so that the handler may know its own address.
 *
 * @throws Node's error when the port is taken or not allowed
 */
export async function listen(options: { readonly host: string; readonly port: number }): Promise<Listening> {
  const { promise: handler, resolve: answerDirectly } = Promise.withResolvers<RequestListener>()
  const server = createServer(async (request, response) => (await handler)(request, response))
  const connections = trackConnections(server)
  server.listen(options.port, options.host)
  await once(server, 'listening')
  let closed: Promise<void> | undefined
  return {
    port: portOf(server),
    answer: handler => answerDirectly(fetchListener(handler)),
    answerDirectly,
    announceEnd: connections.announceEnd,
    close: (graceMs = 10_000) => {
      closed ??= closeServer(server, connections.drain, graceMs)
      return closed
    },
  }
}

/** A handler of web-standard requests, for Node's own server. */
export function fetchListener(handler: FetchHandler): RequestListener {
  return getRequestListener((request, env) => handler(request, asHttpBindings(env)))
}

function asHttpBindings(env: unknown): HttpBindings {
  return env as HttpBindings
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no TCP port.')
  return address.port
}

async function closeServer(server: Server, drain: () => void, graceMs: number): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  drain()
  const force = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(force)
}

/**
 * Knows a server's connections, so that it can end without waiting for those that carry no request: Node's own
 * `server.close()` waits for one over which nothing came yet, and for one that is kept alive after its last answer.
 *
 * @returns `announceEnd` has each answer from now on end its connection, of which there may still be new ones; `drain` ends
 * the connections without a request now and the others after their running answer
 */
function trackConnections(server: Server) {
  const sockets = new Set<Socket>()
  const running = new Set<ServerResponse>()
  let isEnding = false
  let isDraining = false
  const announceEnd = (): void => {
    isEnding = true
    for (const response of running) endAfter(response)
  }
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (isDraining) socket.destroy()
  })
  server.on('request', (request, response) => {
    running.add(response)
    if (isEnding) endAfter(response)
    response.once('close', () => {
      running.delete(response)
      if (isDraining) request.socket.destroySoon()
    })
  })
  return {
    announceEnd,
    drain() {
      isDraining = true
      announceEnd()
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      server.closeIdleConnections()
    },
  }
}

/** Tells the client that the connection ends with this answer, where that can still be said. */
function endAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}
