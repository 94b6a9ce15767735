import { createServer, type Socket } from 'node:net'
import { encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'
import fc from 'fast-check'
import { addressOf, close, listen, uniqueBrand } from './pipe-places.ts'

/** Fault of one reply. */
export type Fault =
  | { readonly kind: 'none' | 'silence' | 'end' | 'destroy' | 'twice' | 'otherId' }
  /** The right frame, or one with a flipped bit, cut off, or in two pieces. */
  | { readonly kind: 'flip' | 'cut' | 'split'; readonly at: number }
  /** The right body with this length. */
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** Another body: any JSON, or nearly a message. */
  | { readonly kind: 'body'; readonly text: string }

const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const anything = fc.jsonValue({ maxDepth: 3 })
const nearlyMessage = fc.record(
  {
    Id: fc.oneof(fc.integer({ min: -1, max: 12 }), anything),
    Result: anything,
    Error: fc.oneof(anything, fc.record({ Code: anything, Message: anything, Details: anything })),
    Event: fc.oneof(fc.constantFrom('personselected', 'signedin', 'workoutopened', '__proto__'), anything),
    Data: anything,
    error: anything,
    code: anything,
  },
  { requiredKeys: [] },
)

/** A random fault, or none in half of the cases. */
export const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('none' as const) }) },
  fc.record({ kind: fc.constantFrom('silence', 'end', 'destroy', 'twice', 'otherId') }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('flip', 'cut', 'split'), at }) },
  fc.record({
    kind: fc.constant('length' as const),
    length: fc.constantFrom(0, -1, 1, 16 * 1024 * 1024, 16 * 1024 * 1024 + 1, 2 ** 31 - 1, -(2 ** 31)),
  }),
  fc.record({ kind: fc.constant('bytes' as const), bytes: fc.uint8Array({ maxLength: 60 }) }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('body' as const),
      text: fc.oneof(
        nearlyMessage.map(value => JSON.stringify(value)),
        fc.json(),
        fc.string({ minLength: 1 }),
      ),
    }),
  },
)

/** A wrapper of both modes whose replies have these faults in turn. */
export async function startFaultyServer(faults: readonly Fault[]) {
  const brand = uniqueBrand()
  const address = addressOf(brand)
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const decoder = new FrameDecoder({ maxFrameBytes: 1024 * 1024 })
    socket.on('data', chunk => {
      for (const body of decoder.push(chunk as Buffer)) {
        const request = JSON.parse(Buffer.from(body).toString('utf8'))
        send(socket, request, faults[count++ % faults.length] ?? { kind: 'none' })
      }
    })
  })
  await listen(server, address)
  return {
    brand,
    /** Open connections. */
    openCount: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await close(server)
    },
  }
}

function send(socket: Socket, request: Request, fault: Fault): void {
  if (!socket.writable) return
  const isSession = request.Id !== undefined
  const frame = Buffer.from(encodeFrame(rightReply(request)))
  switch (fault.kind) {
    case 'silence':
      return
    case 'end':
      return void socket.end()
    case 'destroy':
      return void socket.destroy()
    case 'none':
      socket.write(frame)
      break
    case 'twice':
      socket.write(Buffer.concat([frame, frame]))
      break
    case 'otherId':
      socket.write(encodeFrame(rightReply({ ...request, Id: (request.Id ?? 0) + 1 })))
      break
    case 'flip': {
      const byte = Math.floor(fault.at * frame.length)
      frame[byte] = (frame[byte] ?? 0) ^ (1 << (Math.floor(fault.at * 8 * frame.length) % 8))
      socket.write(frame)
      break
    }
    case 'cut':
      return void socket.end(frame.subarray(0, Math.floor(fault.at * frame.length)))
    case 'split': {
      const first = Math.floor(fault.at * frame.length)
      socket.write(frame.subarray(0, first), () => socket.write(frame.subarray(first)))
      return
    }
    case 'length':
      frame.writeInt32LE(fault.length)
      socket.write(frame)
      break
    case 'bytes':
      socket.write(fault.bytes)
      break
    case 'body':
      socket.write(encodeFrame(fault.text))
  }
  if (!isSession) socket.end()
}

interface Request {
  readonly Id?: number
  readonly Method: string
}

function rightReply({ Id, Method }: Request): string {
  const result = Method === 'version' ? '3.0.0.0' : (results[Method] ?? null)
  if (Id === undefined) return typeof result === 'string' ? result : JSON.stringify(result)
  return JSON.stringify({ Id, Result: result })
}

const results: Readonly<Record<string, unknown>> = {
  hello: {
    protocol: 1,
    version: '3.0.0.0',
    pid: process.pid,
    capabilities: ['personselected'],
    maxinflight: 8,
  },
  getlistofusers: [{ id: 1, firstname: 'Åse' }],
  status: { loaded: true, signedin: true, person: null },
  subscribe: { events: ['personselected'] },
  cancel: { cancelled: false },
}
