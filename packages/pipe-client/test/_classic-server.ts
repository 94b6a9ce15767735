import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { type Brand, defineBrand, pipeAddress } from '@service-link/protocol-core/brand'
import { encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'

/** A request as the server received it. */
export interface ReceivedRequest {
  readonly Method: string
  readonly Args?: Record<string, unknown>
}

/** Answers one request on its own connection. */
export type Answer = (socket: Socket, request: ReceivedRequest) => void

/** A stand-in for a wrapper's classic pipe, put together from the protocol page alone. */
export interface ClassicServer extends AsyncDisposable {
  readonly brand: Brand
  readonly pid: number
  readonly address: string
  /** Every request that was complete, in order. */
  readonly requests: readonly ReceivedRequest[]
  /** Connections that were opened so far. */
  readonly connectionCount: () => number
  /** Bytes that came in so far. */
  readonly byteCount: () => number
}

let count = 0

/** A brand of which no other pipe exists on this machine. */
export function uniqueBrand(): Brand {
  return defineBrand({ pipePrefix: `test${process.pid}-${count++}` })
}

/** Where a process's pipe of this brand is. */
export function addressOf(brand: Brand, pid = process.pid): string {
  return pipeAddress(brand, pid, process.platform, tmpdir())
}

/** Replies with one frame and closes, as a wrapper does. */
export function reply(socket: Socket, text: string): void {
  socket.end(encodeFrame(text))
}

/** Answers `version` as a wrapper does that knows no session mode, and leaves the other commands to `answer`. */
export function withVersion(answer: Answer, version = '3.0.0.0'): Answer {
  return (socket, request) => {
    if (request.Method === 'version') reply(socket, version)
    else if (request.Method === 'hello')
      reply(socket, '{"error":"There is no such command.","code":"ERR_METHOD"}')
    else answer(socket, request)
  }
}

/** Listens on the pipe of this very process. */
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
  return {
    brand,
    pid,
    address,
    requests,
    connectionCount: () => connections,
    byteCount: () => bytes,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await close(server)
    },
  }
}

/** Starts listening. */
export function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => resolve())
  })
}

/** Stops listening; a socket file that is left is removed. */
export function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => {
      const address = server.address()
      if (typeof address === 'string' && process.platform !== 'win32') rmSync(address, { force: true })
      resolve()
    })
  })
}
