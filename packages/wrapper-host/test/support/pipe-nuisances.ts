import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setInterval } from 'node:timers/promises'
import { encodeFrame } from '@service-link/protocol-core/frame'

const hello = encodeFrame('{"Id":0,"Method":"hello"}')
const list = (id: number) => encodeFrame(`{"Id":${id},"Method":"getlistofusers"}`)

/** Runs a few clients of each bad kind until the signal aborts: slow, silent, half-closed, not reading, flooding, short-lived. */
export async function annoy(address: string, signal: AbortSignal): Promise<void> {
  const kinds = [beSlow, beSilent, beHalfClosed, beDeaf, flood, vanish]
  await Promise.all(
    kinds.flatMap(kind =>
      Array.from({ length: 5 }, async () => {
        while (!signal.aborted) {
          const socket = connect({ path: address, allowHalfOpen: true })
          // The server may end the connection.
          socket.on('error', () => undefined)
          const gone = AbortSignal.any([signal, goneOf(socket)])
          // The queue of the pipe may be full of short-lived clients.
          await once(socket, 'connect')
            .then(() => kind(socket, gone))
            .catch(() => undefined)
          socket.destroy()
        }
      }),
    ),
  )
}

function goneOf(socket: Socket): AbortSignal {
  const controller = new AbortController()
  socket.once('close', () => controller.abort())
  return controller.signal
}

/** Sends a byte now and then, of a frame that is never complete. */
async function beSlow(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(hello)
  socket.write(Buffer.of(0xff, 0xff, 0, 0))
  for await (const _ of setInterval(50, undefined, { signal })) socket.write('[')
}

async function beSilent(_socket: Socket, signal: AbortSignal): Promise<void> {
  await once(signal, 'abort')
}

/** Sends all its requests at once, and never reads. */
async function beHalfClosed(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.end(Buffer.concat([hello, ...Array.from({ length: 60 }, (_, id) => list(id + 1))]))
  await once(signal, 'abort')
}

/** Asks for as many replies of 2 MB as may be in flight, and never reads. */
async function beDeaf(socket: Socket, signal: AbortSignal): Promise<void> {
  const many = (id: number) =>
    encodeFrame(`{"Id":${id},"Method":"getlistofusers","Args":{"customid":"many"}}`)
  socket.write(Buffer.concat([hello, ...Array.from({ length: 64 }, (_, id) => many(id + 1))]))
  await once(signal, 'abort')
}

/** Sends requests as fast as the server takes them, and never reads. */
async function flood(socket: Socket, signal: AbortSignal): Promise<void> {
  socket.write(hello)
  for (let id = 1; !signal.aborted; id++) if (!socket.write(list(id))) await once(socket, 'drain', { signal })
}

/** Disconnects in the middle of a call. */
async function vanish(socket: Socket): Promise<void> {
  await new Promise(done => socket.write(Buffer.concat([hello, list(1), list(2).subarray(0, 9)]), done))
}
