import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { addressesOf, isDirect, publicUrlOf, type ServerPlace, urlHost } from './addresses.ts'

export type FetchHandler = (request: Request, env: HttpBindings) => Response | Promise<Response>

export type Listening = Awaited<ReturnType<typeof listen>>

/** An address of a server that another program holds (`EADDRINUSE`), or that this user may not take (`EACCES`). */
export class AddressTakenError extends Error {
  override readonly name = 'AddressTakenError'
  readonly code: 'EADDRINUSE' | 'EACCES'
  readonly address: string
  readonly port: number
  constructor(code: 'EADDRINUSE' | 'EACCES', address: string, port: number) {
    const reason =
      code === 'EACCES'
        ? 'is not allowed for this user.'
        : 'is taken, and another program would answer there. End it, or choose another port.'
    super(`Port ${port} of ${address} ${reason}`)
    this.code = code
    this.address = address
    this.port = port
  }
}

/**
 * Opens a port before the handler exists, so that the handler can know its address. The server holds the port on every
 * address of its host and of its public name.
 *
 * @throws {AddressTakenError} if one of the addresses cannot be had
 */
export async function listen(place: ServerPlace) {
  const { promise: handler, resolve: answerWith } = Promise.withResolvers<RequestListener>()
  const servers = await openServers(place, async (request, response) => (await handler)(request, response))
  const parts = servers.map(server => ({ server, connections: trackConnections(server) }))
  const addresses = servers.map(server => server.address() as AddressInfo)
  const port = addresses[0]?.port ?? 0
  const url = publicUrlOf(place)
  if (isDirect(place, url)) url.port = String(port)
  let closed: Promise<unknown> | undefined
  return {
    port,
    /** Origin of the public address. */
    origin: url.origin,
    /** Each address with the port, as in an URL. */
    listensOn: addresses.map(({ address, port }) => `${urlHost(address)}:${port}`),
    /** Sets the handler. Earlier requests wait for it. */
    answer: (handler: FetchHandler) => answerWith(fetchListener(handler)),
    announceEnd() {
      for (const { connections } of parts) connections.announceEnd()
    },
    /** Accepts no more connections. Requests that still run after the grace are cut off. */
    async close(graceMs = 10_000): Promise<void> {
      closed ??= Promise.all(
        parts.map(({ server, connections }) => closeServer(server, connections.drain, graceMs)),
      )
      await closed
    },
  }
}

/** Most ports that are tried for port 0: another program may have the system's choice on the next address. */
const maxTries = 100

async function openServers(place: ServerPlace, answer: RequestListener): Promise<Server[]> {
  const addresses = await addressesOf(place)
  for (let count = 1; ; count++) {
    const servers: Server[] = []
    try {
      for (const address of addresses) {
        const [first] = servers
        const port = first ? (first.address() as AddressInfo).port : place.port
        const server = await openServer(
          address,
          port,
          answer,
          address === place.host || addresses.length === 1,
        )
        if (server) servers.push(server)
      }
      if (servers.length > 0) return servers
      throw new Error(`This machine has no address of ${place.host}.`)
    } catch (error) {
      for (const server of servers) server.close()
      const isTaken = error instanceof AddressTakenError && error.code === 'EADDRINUSE'
      if (!isTaken || place.port !== 0 || count === maxTries) throw error
    }
  }
}

/** Opens one address; `undefined` if this machine does not have it and need not. */
async function openServer(address: string, port: number, answer: RequestListener, isNeeded: boolean) {
  const server = createServer(answer)
  try {
    server.listen(port, address)
    await once(server, 'listening')
    return server
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' || code === 'EACCES') throw new AddressTakenError(code, address, port)
    // A family or an address that is missing here; EINVAL: a link-local address without its interface.
    if (!isNeeded && /^(?:EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL)$/.test(`${code}`)) return undefined
    throw error
  }
}

function fetchListener(handler: FetchHandler): RequestListener {
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
