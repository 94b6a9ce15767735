import { once } from 'node:events'
import { connect } from 'node:net'
import type { KeptConnection } from './kept-connection.ts'
import { FrameCutter, frameWithNumber } from './raw-session-frame.ts'
import { replyTimeoutMs } from './reply-timeout.ts'

/** Connects as {@link file://./raw-session-server.ts} takes it; what is sent in one turn of the loop leaves in one write. */
export async function openRawSession(path: string, requestBytes: number): Promise<KeptConnection> {
  const socket = connect(path)
  const cutter = new FrameCutter()
  const pending = new Map<number, (text: string) => void>()
  const request = 'x'.repeat(requestBytes)
  let count = 0
  let unsent: Buffer[] = []
  socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('No reply in time.')))
  socket.on('data', (chunk: Buffer) =>
    cutter.push(chunk, text => {
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
        unsent.push(frameWithNumber(number, request))
        if (unsent.length === 1) process.nextTick(send)
      }),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}
