import { createServer } from 'node:net'
import { encodeFrame, FrameDecoder } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { SessionInput } from '../src/pipe/session-input.ts'
import { SharedTurns } from '../src/pipe/shared-turns.ts'
import { dial, servePipe } from './_pipe.ts'
import { openSession } from './_session-pipe.ts'
import { temporaryFolder } from './_temporary-folder.ts'

const limit = { timeout: 60_000, interval: 2 }
const frames = (count: number) =>
  Buffer.concat(Array.from({ length: count }, (_, index) => encodeFrame(String(index))))

/** A server that gives out what one client sends, and notes how much of it in each turn of the loop. */
async function readInTurns(requestsPerTurn: number, bytesPerTurn = 64 * 1024) {
  const folder = await temporaryFolder()
  const bodies: string[] = []
  const turns: number[] = []
  let input: SessionInput | undefined
  let hasEnded = false
  let inTurn = 0
  const server = createServer({ allowHalfOpen: true }, socket => {
    socket.on('error', () => undefined)
    input = new SessionInput(socket, new FrameDecoder({ maxFrameBytes: 1024 }), {
      limits: { silenceLimitMs: 60_000, requestsPerTurn, bytesPerTurn },
      largeBodies: new SharedTurns(),
      onBody(body) {
        bodies.push(Buffer.from(body).toString())
        if (inTurn++ > 0) return
        // After what runs now, before anything else of the loop.
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
  const address = `${folder.path}/turns`
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

test.skipIf(process.platform === 'win32')(
  'of one client a bounded number is taken in one turn, all in order, and its end last',
  async () => {
    await using reading = await readInTurns(10)
    const socket = await dial(reading.address)
    socket.end(Buffer.concat([frames(1005), frames(3)]))
    await expect.poll(reading.hasEnded, limit).toBe(true)
    expect(reading.bodies).toHaveLength(1008)
    expect(reading.bodies.slice(0, 1005)).toEqual(Array.from({ length: 1005 }, (_, index) => String(index)))
    expect(Math.max(...reading.turns)).toBe(10)
    expect(reading.turns.reduce((sum, count) => sum + count)).toBe(1008)
  },
)

test.skipIf(process.platform === 'win32')(
  'while it is held nothing is taken, also of what has come',
  async () => {
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
  },
)

test('of many that send without pause none keeps another waiting', async () => {
  await using pipe = await servePipe(async () => undefined)
  const request = encodeFrame('{"Id":1,"Method":"version"}')
  const batch = Buffer.concat(Array.from({ length: 2000 }, () => request))
  const flooding = await Promise.all(Array.from({ length: 20 }, () => dial(pipe.address)))
  for (const socket of flooding) {
    socket.resume()
    const goOn = () => {
      if (!socket.destroyed) socket.write(batch, goOn)
    }
    goOn()
  }
  const session = await openSession(pipe.address)
  for (let id = 0; id < 20; id++)
    expect(await session.ask(id, 'version')).toEqual({ Id: id, Result: '3.0.0.0' })
  for (const socket of [...flooding, session.socket]) socket.destroy()
})
