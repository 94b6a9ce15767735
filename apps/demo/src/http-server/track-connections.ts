import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Knows a server's connections, so that it can end without waiting for those that carry no request: Node's own
 * `server.close()` waits for one over which nothing came yet, and for one that is kept alive after its last answer.
 *
 * @returns `announceEnd` has each answer from now on end its connection, of which there may still be new ones; `drain` ends
 * the connections without a request now and the others after their running answer
 */
export function trackConnections(server: Server) {
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
