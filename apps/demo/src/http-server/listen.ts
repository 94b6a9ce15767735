import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'

export type FetchHandler = (request: Request, env: HttpBindings) => Response | Promise<Response>

export type Listening = Awaited<ReturnType<typeof listen>>

/** Opens a port before the handler exists, so that the handler can know its address. */
export async function listen(options: { readonly host: string; readonly port: number }) {
  const { promise: handler, resolve: answerDirectly } = Promise.withResolvers<RequestListener>()
  const server = createServer(async (request, response) => (await handler)(request, response))
  const connections = trackConnections(server)
  server.listen(options.port, options.host)
  await once(server, 'listening')
  let closed: Promise<void> | undefined
  return {
    port: (server.address() as AddressInfo).port,
    /** Sets the handler. Earlier requests wait for it. */
    answer: (handler: FetchHandler) => answerDirectly(fetchListener(handler)),
    answerDirectly,
    announceEnd: connections.announceEnd,
    /** Accepts no more connections. Requests that still run after the grace are cut off. */
    close: (graceMs = 10_000) => {
      closed ??= closeServer(server, connections.drain, graceMs)
      return closed
    },
  }
}

export function fetchListener(handler: FetchHandler): RequestListener {
  return getRequestListener((request, env) => handler(request, env as HttpBindings))
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
 * Tracks a server's connections: Node's own `server.close()` also waits for connections without a request.
 * `announceEnd` ends each connection after its next answer, so that a proxy loses no request; `drain` also ends those without a request now.
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

/** Sends `Connection: close`, if the headers are not sent yet. */
function endAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}
