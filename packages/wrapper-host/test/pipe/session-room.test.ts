import { describe, expect, test } from 'vitest'
import { type RunCommand, request, servePipe } from '../support/pipe.ts'
import { openSessionPipe } from '../support/session-pipe.ts'

const limit = { timeout: 60_000, interval: 2 }
const mebibyte = 1024 * 1024
const users = (id: number) => ({ Id: id, Method: 'getlistofusers' })
const many = (count: number) => Array.from({ length: count }, (_, id) => users(id))

/** Large requests without a result until the test gives one. */
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
    Args: { userid: 1, customid: 'x' },
    ignored: 'x'.repeat(byteCount),
  })
  return { run, large, begun: () => begun, answer: mayAnswer.resolve }
}

describe('replies that wait for their client', () => {
  const long = [{ id: 1, text: 'x'.repeat(2 * mebibyte) }]

  test('of one that does not read, lists without room fail; its other requests are served', async () => {
    await using pipe = await servePipe(async ({ name }) => (name === 'show' ? undefined : long), {
      maxUnsentBytes: 9 * mebibyte,
    })
    using session = await openSessionPipe(pipe.address)
    session.socket.pause()
    session.send(...many(20), { Id: 'show', Method: 'show' })
    for (let round = 0; round < 20; round++)
      expect(await request(pipe.address, { Method: 'version' })).toEqual(['3.0.0.0'])
    session.socket.resume()
    await session.answer('show')
    const answers = await Promise.all(many(20).map(({ Id }) => session.answer(Id)))
    const codes = answers.flatMap(({ Error: failure }) => failure?.Code ?? [])
    // The system may have taken some more.
    expect(answers.length - codes.length).toBeGreaterThanOrEqual(4)
    expect(codes.length).toBeGreaterThanOrEqual(10)
    expect(new Set(codes)).toEqual(new Set(['ERR_BUSY']))
    expect(await session.ask('again', 'getlistofusers')).toEqual({ Id: 'again', Result: long })
  })

  test('of all that do not read, lists share a bound, which leaves a little to each and is freed', async () => {
    await using pipe = await servePipe(
      async command => (command.name === 'getlistofusers' && command.args.customId ? [{ id: 1 }] : long),
      { maxUnsentBytesInAll: 9 * mebibyte },
    )
    const deaf = await Promise.all(Array.from({ length: 8 }, () => openSessionPipe(pipe.address)))
    for (const { socket } of deaf) socket.pause()
    for (const { send } of deaf) send(...many(20))
    using session = await openSessionPipe(pipe.address)
    const ask = () => session.ask(`at ${session.messages.length}`, 'getlistofusers')
    // The bytes in the system's buffers make room, perhaps for one list.
    const askAfterThem = () => {
      for (const { send } of deaf) send(users(20))
      return ask()
    }
    await expect.poll(async () => (await askAfterThem()).Error?.Code, limit).toBe('ERR_BUSY')
    const short = await session.ask('short', 'getlistofusers', { customid: 'x' })
    expect(short).toEqual({ Id: 'short', Result: [{ id: 1 }] })
    for (const { socket } of deaf) socket.destroy()
    await expect.poll(async () => (await ask()).Result, limit).toEqual(long)
  })
})

describe('large requests in total', () => {
  test('of one connection fail with ERR_BUSY above the limit, unbegun; others are served', async () => {
    const held = holding()
    await using pipe = await servePipe(held.run)
    const session = await openSessionPipe(pipe.address)
    for (let id = 0; id < 5; id++) session.send(held.large(id, mebibyte - 200))
    expect((await session.answer(4)).Error?.Code).toBe('ERR_BUSY')
    expect(held.begun()).toBe(4)
    const other = await openSessionPipe(pipe.address)
    other.send(held.large(1, mebibyte - 200))
    await expect.poll(held.begun, limit).toBe(5)
    held.answer()
    for (let id = 0; id < 4; id++) expect(await session.answer(id)).toEqual({ Id: id, Result: null })
    // Answered requests do not count.
    for (let id = 10; id < 14; id++) session.send(held.large(id, mebibyte - 200))
    for (let id = 10; id < 14; id++) expect(await session.answer(id)).toEqual({ Id: id, Result: null })
    for (const { socket } of [session, other]) socket.destroy()
  })

  test('of all connections, in both modes, fail with ERR_BUSY above the common limit', async () => {
    const held = holding()
    await using pipe = await servePipe(held.run, { maxInFlightBytesInAll: 100_000 })
    const [first, second] = [await openSessionPipe(pipe.address), await openSessionPipe(pipe.address)]
    first.send(held.large(1, 100_000))
    const classic = request(pipe.address, held.large(undefined, 100_000))
    await expect.poll(held.begun, limit).toBe(2)
    second.send(held.large(1, 120_000))
    expect((await second.answer(1)).Error?.Code).toBe('ERR_BUSY')
    const refused = await request(pipe.address, held.large(undefined, 120_000))
    expect(JSON.parse(refused[0] ?? '{}')).toMatchObject({ code: 'ERR_BUSY' })
    // The first bytes of each connection do not count.
    second.send(held.large(2, 50_000))
    await expect.poll(held.begun, limit).toBe(3)
    held.answer()
    expect(await classic).toEqual([])
    for (const [client, id] of [
      [first, 1],
      [second, 2],
    ] as const)
      expect(await client.answer(id)).toEqual({ Id: id, Result: null })
    expect(await request(pipe.address, held.large(undefined, 160_000))).toEqual([])
    for (const { socket } of [first, second]) socket.destroy()
  })
})
