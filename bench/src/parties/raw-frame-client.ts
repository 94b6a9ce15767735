import { connect } from 'node:net'
import { replyTimeoutMs } from './reply-timeout.ts'

/** One request over a connection of its own, as {@link file://./raw-frame-server.ts} takes it. */
export function requestRaw(path: string, request: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    let received: Buffer = Buffer.alloc(0)
    socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply in time.')))
    socket.on('connect', () => socket.write(request))
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The connection ended before the reply.')))
    socket.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (received.length < 4 || received.length < 4 + received.readInt32LE()) return
      socket.destroy()
      resolve(received)
    })
  })
}
