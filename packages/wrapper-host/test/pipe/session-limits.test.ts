import type { Socket } from 'node:net'
import { encodeFrame } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { dial, framesUntilClosed, request, servePipe, whenClosed } from '../support/pipe.ts'
import { openSessionPipe } from '../support/session-pipe.ts'

const limit = { timeout: 60_000, interval: 5 }
const users = (id: number) => encodeFrame(JSON.stringify({ Id: id, Method: 'getlistofusers' }))

describe('clients that do not read', () => {
  test('one that only asks is not read further; others are answered; it continues once it reads', async () => {
    const text = 'x'.repeat(64 * 1024)
    let begun = 0
    await using pipe = await servePipe(async () => {
      begun++
      return [{ id: 1, text }]
    })
    const deaf = await dial(pipe.address)
    deaf.pause()
    const asked = 3000
    for (let id = 0; id < asked; id++) deaf.write(users(id))
    // A request that was read would be answered by now.
    await expect.poll(() => begun, limit).toBeGreaterThan(16)
    let before = -1
    while (begun !== before) {
      before = begun
      for (let round = 0; round < 5; round++)
        expect(await request(pipe.address, { Method: 'version' })).toEqual(['3.0.0.0'])
    }
    expect(begun).toBeLessThan(asked)
    expect(deaf.destroyed).toBe(false)
    let bytes = 0
    deaf.on('data', chunk => {
      bytes += chunk.length
    })
    deaf.resume()
    await expect.poll(() => begun, limit).toBeGreaterThan(before)
    await expect.poll(() => bytes, limit).toBeGreaterThan(before * text.length)
    deaf.destroy()
  })

  test('one that reads nothing for the time limit is disconnected, and its requests end', async () => {
    const big = [{ id: 1, text: 'x'.repeat(4 * 1024 * 1024) }]
    await using pipe = await servePipe(async () => big, { unreadLimitMs: 100 })
    const deaf = await dial(pipe.address)
    deaf.pause()
    deaf.write(users(1))
    using other = await openSessionPipe(pipe.address)
    await other.ask('a', 'version')
    const closed = whenClosed(deaf)
    // A writer sees the end of a connection.
    const writing = setInterval(() => deaf.write(users(2)), 10)
    await closed
    clearInterval(writing)
    expect(await other.ask('b', 'version')).toEqual({ Id: 'b', Result: '3.0.0.0' })
  })

  test('one that reads slowly gets all of a large reply, however long it takes', async () => {
    const [unreadLimitMs, pauseMs] = [1000, 50]
    // A read takes 64 KiB at most, so that all pauses are longer than the limit.
    const text = 'x'.repeat((2 * unreadLimitMs * 64 * 1024) / pauseMs)
    await using pipe = await servePipe(async () => [{ id: 1, text }], { unreadLimitMs })
    const slow = await dial(pipe.address)
    let bytes = 0
    slow.on('data', chunk => {
      bytes += chunk.length
      slow.pause()
      setTimeout(() => slow.resume(), pauseMs)
    })
    slow.write(users(1))
    await expect.poll(() => bytes, limit).toBeGreaterThan(text.length)
    slow.destroy()
  })
})

const busy = expect.stringContaining('"ERR_BUSY"')
const version = (address: string) => request(address, { Method: 'version' })

describe('connections', () => {
  test('above the limit one gets ERR_BUSY and is closed; later there is room again', async () => {
    await using pipe = await servePipe(async () => [], { maxConnections: 2 })
    const [first, second] = [await openSessionPipe(pipe.address), await openSessionPipe(pipe.address)]
    for (const client of [first, second]) await client.ask(1, 'version')
    const refused = await dial(pipe.address)
    const frames = await framesUntilClosed(refused)
    expect(frames.map(frame => JSON.parse(frame))).toEqual([{ error: expect.any(String), code: 'ERR_BUSY' }])
    first.socket.destroy()
    await expect
      .poll(() => request(pipe.address, { Method: 'version' }).catch(() => []), limit)
      .toEqual(['3.0.0.0'])
    expect(await second.ask(2, 'version')).toEqual({ Id: 2, Result: '3.0.0.0' })
    second.socket.destroy()
  })

  test('a client is served even when silent connections hold all places', async () => {
    await using pipe = await servePipe(async () => [], { maxConnections: 3 })
    const silent: Socket[] = []
    while (silent.length < 3) silent.push(await dial(pipe.address))
    const [oldest, ...others] = silent
    const told = oldest && framesUntilClosed(oldest)
    expect(await version(pipe.address)).toEqual(['3.0.0.0'])
    expect(await told).toEqual([busy])
    expect(others.map(({ closed }) => closed)).toEqual([false, false])
    for (const socket of silent) socket.destroy()
  })

  test('one that has sent a request keeps its place', async () => {
    await using pipe = await servePipe(async () => [], { maxConnections: 2 })
    const { socket, ask } = await openSessionPipe(pipe.address)
    await ask(1, 'version')
    const silent = framesUntilClosed(await dial(pipe.address))
    expect(await version(pipe.address)).toEqual(['3.0.0.0'])
    expect(await silent).toEqual([busy])
    expect(await ask(2, 'version')).toEqual({ Id: 2, Result: '3.0.0.0' })
    socket.destroy()
  })
})
