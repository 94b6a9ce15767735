import { createServer, type Socket } from 'node:net'
import type { Brand } from '@service-link/protocol-core/brand'
import { encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'
import { addressOf, close, listen, uniqueBrand } from './pipe-places.ts'
import { startSessionServer } from './session-server.ts'

/** A request as the server received it. */
export interface ReceivedRequest {
  readonly Method: string
  readonly Args?: Record<string, unknown>
}

/** Answers one request on its connection. */
export type Answer = (socket: Socket, request: ReceivedRequest) => void

/** A stand-in for a wrapper's classic pipe, written from the protocol page alone. */
export interface ClassicServer extends AsyncDisposable {
  readonly brand: Brand
  readonly pid: number
  readonly address: string
  /** All complete requests, in order. */
  readonly requests: readonly ReceivedRequest[]
  /** Number of connections so far. */
  readonly connectionCount: () => number
  /** Number of received bytes. */
  readonly byteCount: () => number
}

/** Replies with one frame and closes, like a wrapper. */
export function reply(socket: Socket, text: string): void {
  socket.end(encodeFrame(text))
}

/** Answers `version` like a wrapper without the session mode. `answer` gets the other commands. */
export function withVersion(answer: Answer, version = '3.0.0.0'): Answer {
  return (socket, request) => {
    if (request.Method === 'version') reply(socket, version)
    else if (request.Method === 'hello')
      reply(socket, '{"error":"There is no such command.","code":"ERR_METHOD"}')
    else answer(socket, request)
  }
}

/** Listens on the pipe of this process. */
export async function startServer(
  answer: Answer,
  { brand = uniqueBrand(), pid = process.pid } = {},
): Promise<ClassicServer> {
  const address = addressOf(brand, pid)
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let bytes = 0
  const server = createServer(socket => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
    socket.on('data', chunk => {
      bytes += chunk.length
      for (const body of decoder.push(chunk as Buffer)) {
        const request = JSON.parse(Buffer.from(body).toString('utf8')) as ReceivedRequest
        requests.push(request)
        answer(socket, request)
      }
    })
  })
  await listen(server, address)
  const session = await serveSession(brand, pid, answer, requests)
  return {
    brand,
    pid,
    address,
    requests,
    connectionCount: () => connections,
    byteCount: () => bytes,
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]()
      for (const socket of sockets) socket.destroy()
      await close(server)
    },
  }
}

/** Gives the same answers in the session mode, to clients that find the record. */
async function serveSession(brand: Brand, pid: number, answer: Answer, requests: ReceivedRequest[]) {
  return startSessionServer(
    (connection, { Id, Method, Args }) => {
      const reply = (frame?: Uint8Array) => {
        const text = frame && Buffer.from(frame.subarray(4)).toString('utf8')
        const isVersion = Method === 'version' || Method === 'hello'
        const result = text === undefined ? null : isVersion ? text : JSON.parse(text)
        const Result = Method === 'hello' ? { protocol: 1, version: result, pid, capabilities: [] } : result
        if (!result?.error) connection.send(JSON.stringify({ Id, Result }))
        else connection.send(JSON.stringify({ Id, Error: { Code: result.code, Message: result.error } }))
      }
      const socket = Object.assign(Object.create(connection.socket), { end: reply }) as Socket
      if (Method === 'hello') return answer(socket, { Method: 'version' })
      const request = Args ? { Method, Args } : { Method }
      requests.push(request)
      answer(socket, request)
    },
    { brand, pid, answersAll: true },
  )
}
