import { once } from 'node:events'
import { connect } from 'node:net'
import { createMessageConnection, SocketMessageReader, SocketMessageWriter } from 'vscode-jsonrpc/node'

interface KeptConnection extends Disposable {
  call(): Promise<unknown>
}

const replyTimeoutMs = 30_000

export function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(4 + length)
  frame.writeInt32LE(length)
  frame.write(text, 4)
  return frame
}

/** Cuts a stream into the bodies of its frames with minimal work. */
export class FrameCutter {
  #chunks: Buffer[] = []
  #length = 0
  /** Bytes that the first frame needs. */
  #needed = 4

  push(chunk: Buffer, onBody: (body: Buffer) => void): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length < this.#needed) return
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    let at = 0
    while (bytes.length - at >= 4) {
      const end = at + 4 + bytes.readInt32LE(at)
      if (bytes.length < end) break
      onBody(bytes.subarray(at + 4, end))
      at = end
    }
    this.#chunks = at < bytes.length ? [bytes.subarray(at)] : []
    this.#length = bytes.length - at
    this.#needed = this.#length < 4 ? 4 : 4 + bytes.readInt32LE(at)
  }
}

/** Makes one request on a connection of its own, and returns the body of the reply. */
export function requestRaw(path: string, request: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const cutter = new FrameCutter()
    socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply in time.')))
    socket.on('connect', () => socket.write(request))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The connection ended before the reply.')))
    socket.on('data', (chunk: Buffer) =>
      cutter.push(chunk, body => {
        socket.destroy()
        resolve(body)
      }),
    )
  })
}

/** Connects to {@link file://./pipe-servers.ts}. Requests of one turn of the loop share one write. */
export async function openRawConnection(path: string, requestBytes: number): Promise<KeptConnection> {
  const socket = connect(path)
  const cutter = new FrameCutter()
  const pending = new Map<number, (text: string) => void>()
  const request = 'x'.repeat(requestBytes)
  let count = 0
  let unsent: Buffer[] = []
  socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply in time.')))
  socket.on('data', (chunk: Buffer) =>
    cutter.push(chunk, body => {
      const text = body.toString()
      const number = Number.parseInt(text, 10)
      pending.get(number)?.(text)
      pending.delete(number)
    }),
  )
  await once(socket, 'connect')
  const send = () => {
    socket.write(Buffer.concat(unsent))
    unsent = []
  }
  return {
    call: () =>
      new Promise(resolve => {
        const number = count++
        pending.set(number, resolve)
        unsent.push(frameOf(`${number} ${request}`))
        if (unsent.length === 1) process.nextTick(send)
      }),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

export async function requestJsonRpc(path: string): Promise<unknown> {
  using connection = await openJsonRpcConnection(path)
  return await connection.call()
}

export async function openJsonRpcConnection(path: string): Promise<KeptConnection> {
  const socket = connect(path)
  socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply in time.')))
  await once(socket, 'connect')
  const connection = createMessageConnection(new SocketMessageReader(socket), new SocketMessageWriter(socket))
  // Rejects pending requests.
  connection.onClose(() => connection.dispose())
  connection.listen()
  return {
    call: () => connection.sendRequest('request', {}),
    [Symbol.dispose]() {
      connection.dispose()
      socket.destroy()
    },
  }
}
