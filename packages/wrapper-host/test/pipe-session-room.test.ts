import { encodeFrame } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { dial, type RunCommand, request, servePipe, whenClosed } from './_pipe.ts'
import { openSession } from './_session-pipe.ts'

const limit = { timeout: 60_000, interval: 2 }
const mebibyte = 1024 * 1024
const users = (id: number) => ({ Id: id, Method: 'getlistofusers' })
const many = (count: number) => Array.from({ length: count }, (_, id) => users(id))

/** Large requests that have no result before the test says so. */
function holding() {
  const mayAnswer = Promise.withResolvers<void>()
  let begun = 0
  const run: RunCommand = async () => {
    begun++
    await mayAnswer.promise
    return undefined
  }
  const large = (id: number | undefined, byteCount: number) => ({
    ...(id === undefined ? {} : { Id: id }),
    Method: 'setcustomid',
    Args: { userid: 1, customid: 'x', ignored: 'x'.repeat(byteCount) },
  })
  return { run, large, begun: () => begun, answer: mayAnswer.resolve }
}

describe('replies that wait for their client', () => {
  test('of lists as many are begun as have room, in order; once their length is known the others follow', async () => {
    const asked: string[] = []
    const mayAnswer = Promise.withResolvers<void>()
    await using pipe = await servePipe(async command => {
      if (command.name === 'getlistofusers') asked.push(command.args.customid ?? '')
      await mayAnswer.promise
      return command.name === 'show' ? undefined : [{ id: 1 }]
    })
    const session = await openSession(pipe.address)
    session.send(...many(20).map(({ Id, Method }) => ({ Id, Method, Args: { customid: String(Id) } })))
    session.send({ Id: 'show', Method: 'show' }, { Id: 'version', Method: 'version' })
    await session.answer('version')
    // As long as frames may be, three fit.
    expect(asked).toEqual(['0', '1', '2'])
    mayAnswer.resolve()
    for (let id = 0; id < 20; id++) expect(await session.answer(id)).toEqual({ Id: id, Result: [{ id: 1 }] })
    expect(asked).toEqual(Array.from({ length: 20 }, (_, id) => String(id)))
    await session.answer('show')
    session.socket.destroy()
  })

  test('one that asks for long lists without reading keeps few of them; when it reads it gets all', async () => {
    let begun = 0
    const big = [{ id: 1, text: 'x'.repeat(14 * mebibyte) }]
    await using pipe = await servePipe(async () => {
      begun++
      return big
    })
    const slow = await dial(pipe.address)
    slow.pause()
    slow.write(Buffer.concat(many(12).map(envelope => encodeFrame(JSON.stringify(envelope)))))
    await expect.poll(() => begun, limit).toBe(3)
    for (let round = 0; round < 20; round++)
      expect(await request(pipe.address, { Method: 'version' })).toEqual(['3.0.0.0'])
    expect(begun).toBe(3)
    let bytes = 0
    slow.on('data', chunk => {
      bytes += chunk.length
    })
    slow.resume()
    await expect.poll(() => bytes, limit).toBeGreaterThan(12 * 14 * mebibyte)
    expect(begun).toBe(12)
    slow.destroy()
  })

  test('one for which more waits than may is ended, and what it asked for is given up', async () => {
    const signals: AbortSignal[] = []
    const mayAnswer = Promise.withResolvers<void>()
    await using pipe = await servePipe(
      async (_command, signal) => {
        signals.push(signal)
        if (signals.length === 5) await mayAnswer.promise
        // The first is short, so that the others are taken for short ones too.
        return signals.length === 1 ? [{ id: 1 }] : [{ id: 1, text: 'x'.repeat(4 * mebibyte) }]
      },
      { maxUnsentBytes: 17 * mebibyte },
    )
    const session = await openSession(pipe.address)
    await session.ask('first', 'getlistofusers')
    session.socket.pause()
    session.send(...many(16))
    await expect.poll(() => signals.length, limit).toBe(17)
    // Of those that wait the fifth holds more than may be, and the end of the connection gives up the one at work.
    await expect.poll(() => signals[4]?.aborted, limit).toBe(true)
    session.socket.resume()
    await whenClosed(session.socket)
    mayAnswer.resolve()
    expect(await request(pipe.address, { Method: 'version' })).toEqual(['3.0.0.0'])
  })

  test('a list for whose reply there is no room in time fails with ERR_BUSY, and is never begun', async () => {
    let begun = 0
    const mayAnswer = Promise.withResolvers<void>()
    await using pipe = await servePipe(
      async () => {
        begun++
        await mayAnswer.promise
        return []
      },
      { replyRoomLimitMs: 50 },
    )
    const session = await openSession(pipe.address)
    session.send(...many(5))
    for (const id of [3, 4]) expect((await session.answer(id)).Error?.Code).toBe('ERR_BUSY')
    mayAnswer.resolve()
    for (const id of [0, 1, 2]) expect(await session.answer(id)).toEqual({ Id: id, Result: [] })
    expect(begun).toBe(3)
    session.socket.destroy()
  })
})

describe('requests that are large together', () => {
  test('of one connection fail with ERR_BUSY above the limit, and are not begun; others are served', async () => {
    const held = holding()
    await using pipe = await servePipe(held.run)
    const session = await openSession(pipe.address)
    for (let id = 0; id < 5; id++) session.send(held.large(id, mebibyte - 200))
    expect((await session.answer(4)).Error?.Code).toBe('ERR_BUSY')
    expect(held.begun()).toBe(4)
    const other = await openSession(pipe.address)
    other.send(held.large(1, mebibyte - 200))
    await expect.poll(held.begun, limit).toBe(5)
    held.answer()
    for (let id = 0; id < 4; id++) expect(await session.answer(id)).toEqual({ Id: id, Result: null })
    // What was answered counts no longer.
    for (let id = 10; id < 14; id++) session.send(held.large(id, mebibyte - 200))
    for (let id = 10; id < 14; id++) expect(await session.answer(id)).toEqual({ Id: id, Result: null })
    for (const { socket } of [session, other]) socket.destroy()
  })

  test('of all connections, of both modes, fail with ERR_BUSY above the limit for all', async () => {
    const held = holding()
    await using pipe = await servePipe(held.run, { maxInFlightBytesInAll: 300_000 })
    const [first, second] = [await openSession(pipe.address), await openSession(pipe.address)]
    first.send(held.large(1, 100_000))
    const classic = request(pipe.address, held.large(undefined, 100_000))
    await expect.poll(held.begun, limit).toBe(2)
    expect((await second.ask(1, 'setcustomid', held.large(1, 120_000).Args)).Error?.Code).toBe('ERR_BUSY')
    const refused = await request(pipe.address, held.large(undefined, 120_000))
    expect(JSON.parse(refused[0] ?? '{}')).toMatchObject({ code: 'ERR_BUSY' })
    second.send(held.large(2, 50_000))
    await expect.poll(held.begun, limit).toBe(3)
    held.answer()
    expect(await classic).toEqual([])
    for (const [client, id] of [
      [first, 1],
      [second, 2],
    ] as const)
      expect(await client.answer(id)).toEqual({ Id: id, Result: null })
    expect(await request(pipe.address, held.large(undefined, 280_000))).toEqual([])
    for (const { socket } of [first, second]) socket.destroy()
  })
})
