import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { defaultBrand, pipeAddress } from '@service-link/protocol-core'
import { FrameDecoder } from '@service-link/protocol-core/frame'

/** A server at the address of this process's pipe, for what a wrapper never does. */
export interface InteropServer extends AsyncDisposable {
  /** Every byte that came, by connection. */
  readonly received: readonly Buffer[]
}

/** Where programs look for the pipe of this process. */
const address = pipeAddress(defaultBrand, process.pid, process.platform, tmpdir())

/** Answers each connection once its request is complete. */
export async function startInteropServer(answer: (socket: Socket) => void): Promise<InteropServer> {
  const received: Buffer[] = []
  const server = createServer(socket => take(socket, received, answer))
  await listen(server)
  return { received, [Symbol.asyncDispose]: () => close(server) }
}

/** The same, but most of the time the pipe is not there: it comes for 5 milliseconds and goes for 20, again and again. */
export async function startComingAndGoing(answer: (socket: Socket) => void): Promise<InteropServer> {
  const received: Buffer[] = []
  const servers: Server[] = []
  let isOver = false
  const comeAndGo = async () => {
    while (!isOver) {
      const server = createServer(socket => take(socket, received, answer))
      servers.push(server)
      await listen(server)
      await pause(5)
      // Nobody finds it from here on; whoever has connected is still served.
      rmSync(address, { force: true })
      await pause(20)
    }
  }
  const ended = comeAndGo()
  const end = async () => {
    isOver = true
    await ended
    for (const server of servers) await close(server)
  }
  return { received, [Symbol.asyncDispose]: end }
}

function take(socket: Socket, received: Buffer[], answer: (socket: Socket) => void) {
  const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
  const index = received.push(Buffer.alloc(0)) - 1
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    received[index] = Buffer.concat([received[index] ?? chunk, chunk])
    if (decoder.push(chunk).length > 0) answer(socket)
  })
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => resolve())
  })
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => server.close(() => resolve()))
}

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))
