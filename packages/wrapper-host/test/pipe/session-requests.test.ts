import { type ArgsIssue, CancelledError } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { request, servePipe, waiting } from '../support/pipe.ts'
import { openSessionPipe } from '../support/session-pipe.ts'

const limit = { timeout: 60_000, interval: 2 }

const users = (id: number | string) => ({ Id: id, Method: 'getlistofusers', Args: { customid: String(id) } })

test('hello names the process of the browser that has the window by then', async () => {
  let browserPid: number | undefined
  await using pipe = await servePipe(waiting().run, {}, undefined, { browserPid: () => browserPid })
  using session = await openSessionPipe(pipe.address)
  expect((await session.ask(1, 'hello')).Result).not.toHaveProperty('browserpid')
  browserPid = 4712
  expect((await session.ask(2, 'hello')).Result).toMatchObject({ browserpid: 4712 })
})

describe('requests in flight', () => {
  test('replies come when ready, each with its id; 7 and "7" differ', async () => {
    const slow = waiting()
    await using pipe = await servePipe(slow.run)
    using session = await openSessionPipe(pipe.address)
    session.send(users(7), users('7'), { Id: 8, Method: 'version' })
    expect(await session.answer(8)).toEqual({ Id: 8, Result: '3.0.0.0' })
    expect(session.messages).toHaveLength(1)
    slow.answer()
    await session.answer('7')
    expect(session.messages.map(({ Id }) => Id)).toEqual([8, 7, '7'])
  })

  test('an id in flight is refused without an id; once answered it is free', async () => {
    const slow = waiting()
    await using pipe = await servePipe(slow.run)
    using session = await openSessionPipe(pipe.address)
    session.send(users(1), users(1))
    expect((await session.answer(null)).Error?.Code).toBe('ERR_ARGS')
    expect(slow.names).toHaveLength(1)
    slow.answer()
    await session.answer(1)
    session.send(users(1))
    await expect.poll(() => session.messages.filter(({ Id }) => Id === 1).length, limit).toBe(2)
  })

  test('above the limit one fails with ERR_BUSY unbegun; the wrapper’s own are still answered', async () => {
    const slow = waiting()
    await using pipe = await servePipe(slow.run, { maxInFlight: 3 })
    const session = await openSessionPipe(pipe.address)
    session.send(users(1), users(2), users(3), users(4), { Id: 5, Method: 'version' })
    expect((await session.answer(4)).Error?.Code).toBe('ERR_BUSY')
    expect(await session.answer(5)).toEqual({ Id: 5, Result: '3.0.0.0' })
    expect(slow.names).toHaveLength(3)
    // Requests of another client do not count.
    const other = await openSessionPipe(pipe.address)
    other.send(users(1))
    await expect.poll(() => slow.names.length, limit).toBe(4)
    slow.answer()
    expect(await session.answer(3)).toEqual({ Id: 3, Result: [{ id: 1, customId: '3' }] })
    expect(await session.ask(4, 'hide')).toMatchObject({ Error: { Code: 'ERR_BUSY' } })
    expect(await session.ask(6, 'hide')).toEqual({ Id: 6, Result: null })
    for (const { socket } of [session, other]) socket.destroy()
  })

  test('cancel ends a request and its work at once, and frees its id', async () => {
    const slow = waiting()
    await using pipe = await servePipe(slow.run)
    using session = await openSessionPipe(pipe.address)
    session.send(users('a'), users('b'))
    expect(await session.ask(1, 'Cancel', { ID: 'a' })).toEqual({ Id: 1, Result: { cancelled: true } })
    expect(session.messages[0]).toEqual({
      Id: 'a',
      Error: { Code: 'ERR_CANCELLED', Message: expect.any(String) },
    })
    expect(slow.signals[0]?.reason).toBeInstanceOf(CancelledError)
    expect(slow.signals[1]?.aborted).toBe(false)
    expect(await session.ask(2, 'cancel', { id: 'a' })).toEqual({ Id: 2, Result: { cancelled: false } })
    session.send(users('a'))
    slow.answer()
    await session.answer('b')
    await expect.poll(() => session.messages.filter(({ Id }) => Id === 'a').length, limit).toBe(2)
    expect(session.messages).toHaveLength(5)
  })

  test('a canceled request counts until all its work has ended', async () => {
    const slow = waiting()
    await using pipe = await servePipe(slow.run, { maxInFlight: 5, maxGivenUp: 3 })
    using session = await openSessionPipe(pipe.address)
    for (let round = 0; round < 20; round++) {
      session.send(users(1), users(2), users(3))
      const cancels = [1, 2, 3].map(id => ({ Id: `${round}-${id}`, Method: 'cancel', Args: { id } }))
      session.send(...cancels)
      await session.answer(`${round}-3`)
    }
    const codes = session.messages.flatMap(({ Error: failure }) => failure?.Code ?? [])
    expect(codes.filter(code => code === 'ERR_CANCELLED')).toHaveLength(3)
    expect(codes.filter(code => code === 'ERR_BUSY')).toHaveLength(57)
    expect(slow.names).toHaveLength(3)
    slow.answer()
    await expect
      .poll(
        async () =>
          (await session.ask(`again-${slow.names.length}-${session.messages.length}`, 'getlistofusers'))
            .Result,
        limit,
      )
      .toEqual([{ id: 1 }])
  })

  test('cancel does not reach another connection’s requests', async () => {
    const slow = waiting()
    await using pipe = await servePipe(slow.run)
    const session = await openSessionPipe(pipe.address)
    session.send(users(1))
    await expect.poll(() => slow.signals.length, limit).toBe(1)
    const other = await openSessionPipe(pipe.address)
    expect(await other.ask(2, 'cancel', { id: 1 })).toEqual({ Id: 2, Result: { cancelled: false } })
    expect(slow.signals[0]?.aborted).toBe(false)
    slow.answer()
    await session.answer(1)
    for (const { socket } of [session, other]) socket.destroy()
  })

  test('the end of the connection ends its own requests only', async () => {
    const slow = waiting()
    await using pipe = await servePipe(slow.run)
    const vanishing = await openSessionPipe(pipe.address)
    vanishing.send(users(1), users(2))
    await expect.poll(() => slow.signals.length, limit).toBe(2)
    using staying = await openSessionPipe(pipe.address)
    staying.send(users(1))
    await expect.poll(() => slow.signals.length, limit).toBe(3)
    vanishing.socket.destroy()
    await expect.poll(() => slow.signals.map(({ aborted }) => aborted), limit).toEqual([true, true, false])
    slow.answer()
    expect(await staying.answer(1)).toMatchObject({ Id: 1, Result: [{ id: 1 }] })
  })
})

test('a result that cannot be written fails its own request', async () => {
  await using pipe = await servePipe(async ({ name }) =>
    name === 'getlistofusers' ? [{ id: 1, number: 1n }] : undefined,
  )
  using session = await openSessionPipe(pipe.address)
  session.send(users(1), { Id: 2, Method: 'show' })
  expect((await session.answer(1)).Error?.Code).toBe('ERR_WEB_APP')
  expect(await session.answer(2)).toEqual({ Id: 2, Result: null })
})

test('a date that the culture read is noted for the log in both modes, and among the warnings of a session', async () => {
  const notes: ArgsIssue[] = []
  const onNoted = (note: ArgsIssue) => void notes.push(note)
  const run = async () => ({ status: 'selected', userId: 1, customId: '4711' }) as const
  await using pipe = await servePipe(run, {}, undefined, { onNoted })
  using session = await openSessionPipe(pipe.address)
  const args = { customid: '4711', firstname: 'Kari', lastname: 'Nordmann' }
  const note = {
    path: 'dateofbirth',
    problem: 'was read as DD.MM.YYYY, the order of the culture nb-NO; write YYYY-MM-DD, which needs none',
  }
  const asked = await session.ask(1, 'selectperson', { ...args, dateofbirth: '03.04.1980' })
  expect(asked).toMatchObject({ Result: { userid: 1 }, Warnings: [note] })
  expect(await session.ask(2, 'selectperson', { ...args, dateofbirth: '1980/04/03' })).not.toHaveProperty(
    'Warnings',
  )
  await request(pipe.address, { Method: 'selectperson', Args: { ...args, dateofbirth: '3/4/1980' } })
  await request(pipe.address, { Method: 'getworkoutsforclient', Args: { customid: '1', from: '03.04.2024' } })
  expect(notes).toEqual([note, note, { ...note, path: 'from' }])
})
