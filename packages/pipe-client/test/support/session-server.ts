import { createServer, type Socket } from 'node:net'
import type { Brand } from '@service-link/protocol-core/brand'
import { encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'
import { vi } from 'vitest'
import { addressOf, close, listen, uniqueBrand } from './pipe-places.ts'
import { newKey, publish } from './records.ts'

/** A request in session mode as the server received it. */
export interface SessionRequest {
  readonly Id: number
  readonly Method: string
  readonly Args?: Record<string, unknown>
}

/** One client, as the server sees it. */
export interface ServedConnection {
  readonly socket: Socket
  readonly requests: SessionRequest[]
  /** Sizes of the received chunks. */
  readonly pieces: number[]
  reply(request: SessionRequest, result?: unknown): void
  fail(request: SessionRequest, code: string): void
  tell(event: string, data?: unknown): void
  /** Writes one frame with this text. */
  send(text: string): void
}

/** Answers a request that the server does not answer itself. */
export type SessionAnswer = (connection: ServedConnection, request: SessionRequest) => void

export interface SessionServerOptions {
  readonly brand?: Brand
  readonly pid?: number
  /** Further members of the reply to `hello`. */
  readonly hello?: Readonly<Record<string, unknown>>
  /** Desktop in its record. Default: this process's. */
  readonly desktop?: string
  /** Answers the first secret. It gets the frame of the second too. Default: sends that frame. */
  readonly prove?: (connection: ServedConnection, ask: string, proof: Uint8Array) => void
  /** Handles all requests, including `hello`, `subscribe` and `cancel`. */
  readonly answersAll?: boolean
}

/** A stand-in for a wrapper's pipe in session mode, written from the protocol page alone. */
export interface SessionServer extends AsyncDisposable {
  readonly brand: Brand
  readonly pid: number
  readonly address: string
  /** All clients so far with a request. */
  readonly connections: readonly ServedConnection[]
  /** The first client. */
  readonly first: ServedConnection
  /** Methods of all requests, in order. */
  readonly methods: () => readonly string[]
}

/** Listens on the pipe of a process; answers `hello`, `subscribe` and `cancel`, and leaves commands to `answer`. */
export async function startSessionServer(
  answer: SessionAnswer,
  {
    brand = uniqueBrand(),
    pid = process.pid,
    hello = {},
    answersAll = false,
    desktop,
    prove,
  }: SessionServerOptions = {},
): Promise<SessionServer> {
  const address = `${addressOf(brand, pid)}.private`
  const key = newKey()
  const connections: ServedConnection[] = []
  const own: Record<string, SessionAnswer> = {
    hello: (connection, request) =>
      connection.reply(request, { protocol: 1, version: '3.0.0.0', pid, capabilities: [], ...hello }),
    subscribe: (connection, request) => connection.reply(request, { events: request.Args?.events }),
    cancel: (connection, request) => connection.reply(request, { cancelled: false }),
  }
  const server = createServer({ allowHalfOpen: true }, socket => {
    const connection = serve(socket)
    const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
    let isProven = false
    socket.on('data', chunk => {
      const bodies = decoder.push(chunk as Buffer)
      if (!isProven && bodies[0]) {
        const { ask } = JSON.parse(Buffer.from(bodies.shift() ?? '').toString('utf8'))
        isProven = true
        if (prove) prove(connection, ask, encodeFrame(JSON.stringify({ answer: key.answer })))
        else if (ask === key.ask) connection.send(JSON.stringify({ answer: key.answer }))
        else socket.destroy()
        if (bodies.length === 0) return
      }
      // A client without a request only looks for a server.
      if (!connections.includes(connection)) connections.push(connection)
      connection.pieces.push(chunk.length)
      for (const body of bodies) {
        const request = JSON.parse(Buffer.from(body).toString('utf8')) as SessionRequest
        connection.requests.push(request)
        const handle = answersAll ? answer : (own[request.Method] ?? answer)
        handle(connection, request)
      }
    })
  })
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  await listen(server, address)
  const published = publish(brand, { pid, address, key, ...(desktop === undefined ? {} : { desktop }) })
  return {
    brand,
    pid,
    address,
    connections,
    get first() {
      const [first] = connections
      if (!first) throw new Error('No client has come.')
      return first
    },
    methods: () => connections.flatMap(({ requests }) => requests.map(({ Method }) => Method)),
    async [Symbol.asyncDispose]() {
      published[Symbol.dispose]()
      for (const socket of sockets) socket.destroy()
      await close(server)
    },
  }
}

function serve(socket: Socket): ServedConnection {
  socket.on('error', () => {})
  socket.on('end', () => socket.end())
  const send = (text: string) => void (socket.writable && socket.write(encodeFrame(text)))
  return {
    socket,
    requests: [],
    pieces: [],
    reply: ({ Id }, Result = null) => send(JSON.stringify({ Id, Result })),
    fail: ({ Id }, Code) => send(JSON.stringify({ Id, Error: { Code, Message: 'No.' } })),
    tell: (Event, Data = null) => send(JSON.stringify({ Event, Data })),
    send,
  }
}

/** Waits until a client's connection has ended. */
export async function gone({ socket }: ServedConnection): Promise<void> {
  if (!socket.closed) await new Promise(resolve => socket.once('close', resolve))
}

/** Waits long enough for a busy machine. */
export const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 1 })
