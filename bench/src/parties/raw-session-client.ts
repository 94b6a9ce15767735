import { once } from 'node:events'
import { connect } from 'node:net'
import type { KeptConnection } from './kept-connection.ts'
import { FrameCutter, frameWithNumber } from './raw-session-frame.ts'
import { replyTimeoutMs } from './reply-timeout.ts'

/** Connects as {@link file://./raw-session-server.ts} takes it; what is sent in one turn of the loop leaves in one write. */
export async function openRawSession(path: string, requestBytes: number): Promise<KeptConnection> {
  const socket = connect(path)
  const cutter = new FrameCutter()
  const pending = new Map<number, (body: Buffer) => void>()
  let count = 0
  let unsent: Buffer[] = []
  socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply in time.')))
  socket.on('data', (chunk: Buffer) =>
    cutter.push(chunk, (bytes, at) => {
      const number = bytes.readInt32LE(at)
      pending.get(number)?.(bytes)
      pending.delete(number)
    }),
  )
  await once(socket, 'connect')
  const send = () => {
    socket.write(unsent.length === 1 && unsent[0] ? unsent[0] : Buffer.concat(unsent))
    unsent = []
  }
  return {
    call: () =>
      new Promise(resolve => {
        const number = count++ | 0
        pending.set(number, resolve)
        unsent.push(frameWithNumber(number, requestBytes))
        if (unsent.length === 1) process.nextTick(send)
      }),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
