import { createServer } from 'node:net'
import { encodeFrame, FrameDecoder } from '@service-link/protocol-core'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { expect, test } from 'vitest'
import { ConnectionInput } from '../../src/pipe/connection-input.ts'
import { defaultPipeLimits } from '../../src/pipe/pipe-parts.ts'
import { dial, servePipe, socketAddress } from '../support/pipe.ts'
import { openSessionPipe } from '../support/session-pipe.ts'

const limit = { timeout: 60_000, interval: 2 }
const frames = (count: number) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => encodeFrame(String(index))))

/** A server that gives out the requests of one client, and counts them in each turn of the loop. */
async function readInTurns(requestsPerTurn: number, bytesPerTurn = 64 * 1024) {
  const folder = await temporaryFolder()
  const bodies: string[] = []
  const turns: number[] = []
  let input: ConnectionInput | undefined
  let hasEnded = false
  let inTurn = 0
  const server = createServer({ allowHalfOpen: true }, socket => {
    socket.on('error', () => undefined)
    input = new ConnectionInput(socket, new FrameDecoder({ maxFrameBytes: 1024 }), {
      limits: { ...defaultPipeLimits, silenceLimitMs: 60_000, requestsPerTurn, bytesPerTurn },
      onBody(body) {
        bodies.push(Buffer.from(body).toString())
        if (inTurn++ > 0) return
        // After the code that runs now, before the rest of the loop.
        process.nextTick(() => {
          turns.push(inTurn)
          inTurn = 0
        })
      },
      onEnd() {
        hasEnded = true
        socket.end()
      },
    })
    input.begin([])
  })
  const address = socketAddress(folder.path)
  await new Promise<void>(resolve => server.listen(address, resolve))
  return {
    address,
    bodies,
    turns,
    hasEnded: () => hasEnded,
    hold: (isHeld: boolean) => input?.setHeld(isHeld),
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => server.close(resolve))
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('one client’s messages are bounded per turn, in order, with its end last', async () => {
  await using reading = await readInTurns(10)
  const socket = await dial(reading.address)
  socket.end(Buffer.concat([frames(1005), frames(3)]))
  await expect.poll(reading.hasEnded, limit).toBe(true)
  expect(reading.bodies).toHaveLength(1008)
  expect(reading.bodies.slice(0, 1005)).toEqual(Array.from({ length: 1005 }, (_, index) => String(index)))
  expect(Math.max(...reading.turns)).toBe(10)
  expect(reading.turns.reduce((sum, count) => sum + count)).toBe(1008)
})

test('while paused it delivers nothing, not even received messages', async () => {
  await using reading = await readInTurns(10)
  const socket = await dial(reading.address)
  socket.write(frames(1000))
  await expect.poll(() => reading.bodies.length, limit).toBeGreaterThan(0)
  reading.hold(true)
  const before = reading.bodies.length
  for (let turn = 0; turn < 200; turn++) await new Promise(done => setImmediate(done))
  expect(reading.bodies).toHaveLength(before)
  reading.hold(false)
  await expect.poll(() => reading.bodies.length, limit).toBe(1000)
  socket.end()
  await expect.poll(reading.hasEnded, limit).toBe(true)
})

test('a turn is bounded in bytes too', async () => {
  await using reading = await readInTurns(1000, 100)
  const socket = await dial(reading.address)
  const frame = encodeFrame('x'.repeat(40))
  socket.end(Buffer.concat(Array.from({ length: 300 }, () => frame)))
  await expect.poll(reading.hasEnded, limit).toBe(true)
  expect(reading.bodies).toHaveLength(300)
  expect(Math.max(...reading.turns)).toBe(2)
})

// A pipe of Windows cannot be half-closed: its connection ends 50 ms later.
test.skipIf(process.platform === 'win32')(
  'a large first request has its turn, even of a half-closed client',
  async () => {
    await using pipe = await servePipe(async () => undefined)
    const session = await openSessionPipe(pipe.address)
    session.send({ Id: 1, Method: 'version', ignored: 'x'.repeat(500_000) }, { Id: 2, Method: 'show' })
    session.socket.end()
    await session.closed()
    expect(session.messages).toEqual([
      { Id: 1, Result: '3.0.0.0' },
      { Id: 2, Result: null },
    ])
  },
)
