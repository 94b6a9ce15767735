import { describe, expect, test } from 'vitest'
import { servePipe, waiting } from '../support/pipe.ts'
import { openSessionPipe } from '../support/session-pipe.ts'

const limit = { timeout: 60_000, interval: 2 }
const users = (id: number | string) => ({ Id: id, Method: 'getlistofusers', Args: { customid: String(id) } })

describe('the end of the server', () => {
  test('fails requests during the close with ERR_CLOSING, whatever they ask', async () => {
    await using pipe = await servePipe(waiting().run)
    using session = await openSessionPipe(pipe.address)
    await session.ask(1, 'hello')
    pipe.beginClosing()
    for (const method of ['version', 'show', 'hello', 'subscribe'])
      expect((await session.ask(method, method)).Error?.Code).toBe('ERR_CLOSING')
  })

  test('fails requests in flight with ERR_CLOSING, writes the answers, and ends the connections', async () => {
    const slow = waiting()
    await using pipe = await servePipe(slow.run)
    const [session, idle] = [await openSessionPipe(pipe.address), await openSessionPipe(pipe.address)]
    await idle.ask(1, 'version')
    session.send(users(1), users(2))
    await expect.poll(() => slow.signals.length, limit).toBe(2)
    await pipe.close()
    await Promise.all([session.closed(), idle.closed()])
    expect(session.messages.map(message => [message.Id, message.Error?.Code])).toEqual([
      [1, 'ERR_CLOSING'],
      [2, 'ERR_CLOSING'],
    ])
    expect(slow.signals.every(({ aborted }) => aborted)).toBe(true)
  })

  test('fails queued requests with ERR_CLOSING too: every request has its answer', async () => {
    const count = 400
    const begun = Promise.withResolvers<void>()
    await using pipe = await servePipe(
      async () => {
        begun.resolve()
        return new Promise<never>(() => undefined)
      },
      { requestsPerTurn: 100 },
    )
    const session = await openSessionPipe(pipe.address)
    const closed = begun.promise.then(() => pipe.close())
    session.send(
      users('held'),
      ...Array.from({ length: count }, (_, Id) => ({ Id, Method: Id % 2 ? 'version' : 'hide' })),
    )
    await closed
    await session.closed()
    const ids = ['held', ...Array.from({ length: count }, (_, id) => id)]
    expect(new Set(session.messages.map(({ Id }) => Id))).toEqual(new Set(ids))
    expect(session.messages).toHaveLength(count + 1)
    const codes = new Set(session.messages.slice(100).flatMap(({ Error: failure }) => failure?.Code ?? []))
    expect(codes).toEqual(new Set(['ERR_CLOSING']))
  })
})
