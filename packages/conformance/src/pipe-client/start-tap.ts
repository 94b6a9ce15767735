import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { ownDesktop, recordEnding, recordFolder } from '@service-link/pipe-client/running'
import { decodeJson, encodeFrame, FrameDecoder, maxReplyFrameBytes } from '@service-link/protocol-core/frame'
import { pause } from '@service-link/protocol-core/time'
import { temporaryFolder } from '../programs/temporary-folder.ts'

/** Options of {@link startTap}. */
export interface TapOptions {
  /** Address of the wrapper that gets the bytes. Default: nobody does. */
  readonly relayTo?: string | undefined
  /** Sends the wrapper's bytes one by one. Default false. */
  readonly isSlow?: boolean
  /** Changes each reply of the wrapper. Default: nothing. */
  readonly change?: (reply: string) => string
  /** Answers each first request with these bytes, and ends the connection. Default: as the wrapper does. */
  readonly answer?: Uint8Array
  /** Sends a wrong proof. Default false. */
  readonly isForeign?: boolean
  /** Permissions of the record. Default: for this user alone. */
  readonly mode?: number
  /** Desktops of the records. A wrapper answers on the first one alone. Default: that of the program alone. */
  readonly desktops?: readonly string[]
}

/** One connection of the program, after the proof. */
export interface TappedConnection {
  /** Bodies of frames. */
  readonly requests: readonly Uint8Array[]
  readonly replies: readonly Uint8Array[]
  /** Why the bytes of the program are no frames. */
  readonly fault: string | undefined
}

/** A process between program and wrapper, whose record the program finds. */
export interface Tap extends AsyncDisposable {
  /** The per-user folder with the record. */
  readonly userFolder: string
  readonly connections: readonly TappedConnection[]
}

/** The desktop that programs under test are told to be on, as on Linux the environment tells it. */
export const tapDisplay = ':77'

const programDesktop = () => (process.platform === 'linux' ? tapDisplay : ownDesktop())

/** Publishes a record, proves itself to each connection, and notes every frame after the proof. */
export async function startTap(options: TapOptions = {}): Promise<Tap> {
  const { mode = 0o600, desktops = [programDesktop()] } = options
  const folder = await temporaryFolder()
  const key = { ask: randomBytes(32).toString('hex'), answer: randomBytes(32).toString('hex') }
  const connections: Connection[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // A program may end at any time. The close follows.
    socket.on('error', () => undefined)
    serveConnection(socket, key, options, sockets, connections)
  })
  const name = 'tap "1" å'
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${key.ask.slice(0, 16)} ${name}` : join(folder.path, name)
  server.listen(address)
  await once(server, 'listening')
  const records = recordFolder(folder.path)
  await mkdir(records, { mode: 0o700 })
  for (const [index, desktop] of desktops.entries()) {
    // The first one is not the first in the folder.
    const file = join(records, `${desktops.length - index}${recordEnding}`)
    const place = { address: desktop === desktops[0] ? address : `${address} ${index}`, desktop }
    await writeFile(file, JSON.stringify({ pid: process.pid, version: '3.1.4.1', ...place, key }))
    await chmod(file, mode)
  }
  return {
    userFolder: folder.path,
    connections,
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await ended
      await folder[Symbol.asyncDispose]()
    },
  }
}

type Connection = { requests: Uint8Array[]; replies: Uint8Array[]; fault: string | undefined }

/** Reads the first frame, proves itself, and passes on the rest. */
function serveConnection(
  socket: Socket,
  key: { readonly ask: string; readonly answer: string },
  options: TapOptions,
  sockets: Set<Socket>,
  connections: Connection[],
): void {
  const { relayTo, answer, isForeign } = options
  const connection: Connection = { requests: [], replies: [], fault: undefined }
  const decoder = new FrameDecoder({ maxFrameBytes: maxReplyFrameBytes })
  let isProven = false
  let wrapper: Socket | undefined
  const prove = (body: Uint8Array) => {
    isProven = true
    connections.push(connection)
    if (Object(decodeJson(body)).ask !== key.ask)
      throw new Error('The first frame does not ask for the proof.')
    socket.write(encodeFrame(JSON.stringify({ answer: isForeign ? key.ask : key.answer })))
    if (relayTo !== undefined) wrapper = relay(socket, relayTo, options, connection, sockets)
  }
  socket.on('data', (chunk: Buffer) => {
    if (connection.fault !== undefined) return
    try {
      for (const body of decoder.push(chunk)) {
        if (!isProven) prove(body)
        else {
          connection.requests.push(Uint8Array.from(body))
          if (answer) socket.end(answer)
          else wrapper?.write(encodeFrame(Buffer.from(body).toString()))
        }
      }
    } catch (error) {
      connection.fault = error instanceof Error ? error.message : 'The bytes are no frames.'
      if (!isProven) connections.push(connection)
      socket.destroy()
    }
  })
  socket.on('end', () => wrapper?.end())
  socket.on('close', () => wrapper?.destroy())
}

function relay(
  socket: Socket,
  address: string,
  { isSlow = false, change = reply => reply }: TapOptions,
  { replies }: Connection,
  sockets: Set<Socket>,
): Socket {
  const wrapper = connect(address)
  sockets.add(wrapper)
  const decoder = new FrameDecoder({ maxFrameBytes: maxReplyFrameBytes })
  let sending = Promise.resolve()
  wrapper.on('data', (chunk: Buffer) => {
    for (const body of decoder.push(chunk)) {
      replies.push(Uint8Array.from(body))
      const frame = encodeFrame(change(Buffer.from(body).toString()))
      if (isSlow) sending = sending.then(() => sendByBytes(socket, frame))
      else socket.write(frame)
    }
  })
  wrapper.on('error', () => undefined)
  wrapper.on('end', () => void sending.then(() => socket.end()))
  wrapper.on('close', () => sockets.delete(wrapper))
  return wrapper
}

/** The system would put bytes together that are sent without a pause. */
async function sendByBytes(socket: Socket, bytes: Uint8Array): Promise<void> {
  for (const byte of bytes) {
    socket.write(Uint8Array.of(byte))
    await pause(1)
  }
}
