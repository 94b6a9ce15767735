import { describe, expect, expectTypeOf, test } from 'vitest'
import { connectWrapper, type FocusedPerson, type WrapperEvent } from '../../src/index.ts'
import {
  gone,
  type ServedConnection,
  type SessionAnswer,
  startSessionServer,
  until,
} from '../support/session-server.ts'

const silent: SessionAnswer = () => {}

/** Each subscription of the client. */
const subscriptions = ({ requests }: ServedConnection) =>
  requests.filter(({ Method }) => Method === 'subscribe').map(({ Args }) => Args?.events)

/** Reads until the iteration ends. */
async function readAll(events: AsyncIterable<WrapperEvent>) {
  const read: WrapperEvent[] = []
  try {
    for await (const event of events) read.push(event)
    return { read }
  } catch (error) {
    return { read, error }
  }
}

const helloReply = { protocol: 1, version: '3.0.0.0', pid: process.pid, capabilities: [] }
const all = ['personselected', 'personcleared', 'signedin', 'signedout', 'workoutopened', 'closing']

describe('an iteration of events', () => {
  test('has the type of the events that it names', async () => {
    await using server = await startSessionServer(silent)
    await using client = await connectWrapper({ brand: server.brand })
    expectTypeOf(client.events({ events: ['personselected'] })).toEqualTypeOf<
      AsyncIterable<{
        readonly type: 'personselected'
        readonly person: FocusedPerson
        readonly focusNumber?: number | undefined
      }>
    >()
    expectTypeOf(client.events()).toEqualTypeOf<AsyncIterable<WrapperEvent>>()
    expectTypeOf(client.events({ events: ['closing', 'signedin'] })).toEqualTypeOf<
      AsyncIterable<{ readonly type: 'closing' } | { readonly type: 'signedin' }>
    >()
    // @ts-expect-error
    expect(() => client.events({ events: ['personSelected'] })).toThrow(
      'The parameter options.events must be personselected or',
    )
  })

  test('has every kind, and ends after closing', async () => {
    await using server = await startSessionServer((connection, request) => {
      const kari = { userid: 5, customid: '4711', firstname: 'Kari', lastname: null }
      connection.tell('personselected', kari)
      connection.tell('personselected', { ...kari, focusnumber: 7 })
      connection.tell('personcleared', { reason: 'journal', focusnumber: 8 })
      connection.tell('personcleared', { reason: 'moon' })
      connection.tell('signedin')
      connection.tell('signedout')
      connection.tell('signedout', { reason: 'time' })
      connection.tell('moonrise')
      connection.tell('workoutopened', { id: 17, own: 1 })
      connection.tell('closing')
      connection.tell('signedin')
      connection.reply(request)
    })
    await using client = await connectWrapper({ brand: server.brand })
    const reading = readAll(client.events())
    await client.hide()
    const person = { userId: 5, customId: '4711', firstname: 'Kari' }
    expect(await reading).toEqual({
      read: [
        { type: 'personselected', person },
        { type: 'personselected', person, focusNumber: 7 },
        { type: 'personcleared', reason: 'journal', focusNumber: 8 },
        { type: 'personcleared' },
        { type: 'signedin' },
        { type: 'signedout' },
        { type: 'signedout', reason: 'time' },
        { type: 'workoutopened', id: 17 },
        { type: 'closing' },
      ],
    })
    expect(subscriptions(server.first)).toEqual([all])
    // No further subscription, and no further iteration.
    expect(await readAll(client.events())).toEqual({ read: [] })
    expect(subscriptions(server.first)).toHaveLength(1)
  })

  test('has the events of calls made after it began', async () => {
    await using server = await startSessionServer((connection, request) => {
      connection.tell('workoutopened', { id: Number(request.Args?.id) })
      connection.reply(request)
    })
    await using client = await connectWrapper({ brand: server.brand })
    const events = client.events({ events: ['workoutopened'] })[Symbol.asyncIterator]()
    await client.openWorkout(17)
    expect(server.methods()).toEqual(['hello', 'subscribe', 'openworkout'])
    expect(await events.next()).toEqual({ done: false, value: { type: 'workoutopened', id: 17 } })
    await events.return?.()
  })

  test('ends after closing, even when not subscribed to it', async () => {
    await using server = await startSessionServer(connection => {
      connection.tell('signedin')
      connection.tell('closing')
      connection.socket.end()
    })
    await using client = await connectWrapper({ brand: server.brand })
    const reading = readAll(client.events({ events: ['signedin'] }))
    await client.close().catch(() => {})
    expect(await reading).toEqual({ read: [{ type: 'signedin' }] })
  })

  test('has its own choice; the connection subscribes once', async () => {
    await using server = await startSessionServer((connection, request) => {
      for (const name of ['signedin', 'signedout', 'closing']) connection.tell(name)
      connection.reply(request)
    })
    await using client = await connectWrapper({ brand: server.brand })
    const one = client.events({ events: ['signedin'] })[Symbol.asyncIterator]()
    const other = readAll(client.events({ events: ['signedout'] }))
    const third = client.events({ events: ['signedout'] })[Symbol.asyncIterator]()
    await third.return?.()
    await one.return?.()
    await client.hide()
    expect(subscriptions(server.first)).toEqual([all])
    expect(await other).toEqual({ read: [{ type: 'signedout' }] })
    expect(await one.next()).toEqual({ done: true, value: undefined })
  })

  test('unsubscribes when left, and the connection continues', async () => {
    await using server = await startSessionServer((connection, request) => {
      connection.tell('signedin')
      connection.tell('signedin')
      connection.reply(request)
    })
    await using client = await connectWrapper({ brand: server.brand })
    const calling = client.hide()
    for await (const event of client.events()) {
      expect(event).toEqual({ type: 'signedin' })
      break
    }
    await calling
    await until(() => expect(subscriptions(server.first)).toEqual([all, []]))
    await client.hide()
    expect(server.connections).toHaveLength(1)
  })

  test('throws its signal’s reason, and drops unread events', async () => {
    const reason = new Error('Never mind.')
    const controller = new AbortController()
    await using server = await startSessionServer((connection, request) => {
      connection.tell('signedin')
      connection.reply(request)
    })
    await using client = await connectWrapper({ brand: server.brand })
    const events = client.events({ signal: controller.signal })[Symbol.asyncIterator]()
    await client.hide()
    controller.abort(reason)
    await expect(events.next()).rejects.toBe(reason)
    expect(await events.next()).toEqual({ done: true, value: undefined })
    await until(() => expect(subscriptions(server.first)).toEqual([all, []]))
    const late = client.events({ signal: controller.signal })[Symbol.asyncIterator]()
    await expect(late.next()).rejects.toBe(reason)
    expect(subscriptions(server.first)).toHaveLength(2)
  })

  test('throws when the connection breaks, after the earlier events', async () => {
    await using server = await startSessionServer(connection => {
      connection.tell('signedin')
      connection.socket.end()
    })
    await using client = await connectWrapper({ brand: server.brand })
    const reading = readAll(client.events())
    await client.hide().catch(() => {})
    expect(await reading).toMatchObject({ read: [{ type: 'signedin' }], error: { code: 'ERR_PIPE_CLOSED' } })
  })

  test('ends when its client disconnects', async () => {
    await using server = await startSessionServer(silent)
    const client = await connectWrapper({ brand: server.brand })
    const reading = readAll(client.events())
    await client.disconnect()
    expect(await reading).toEqual({ read: [] })
    await gone(server.first)
    expect(await readAll(client.events())).toMatchObject({ read: [], error: { code: 'ERR_PIPE_CLOSED' } })
  })

  test('throws after its full queue when too much is unread; other iterations continue', async () => {
    await using server = await startSessionServer((connection, request) => {
      for (let id = 0; id < 4; id++) connection.tell('workoutopened', { id })
      connection.reply(request)
    })
    await using client = await connectWrapper({ brand: server.brand })
    const slow = client.events({ maxQueued: 3 })[Symbol.asyncIterator]()
    const roomy = client.events({ maxQueued: 4 })[Symbol.asyncIterator]()
    await client.hide()
    for (let id = 0; id < 3; id++) expect((await slow.next()).value).toEqual({ type: 'workoutopened', id })
    await expect(slow.next()).rejects.toMatchObject({ code: 'ERR_PIPE_OVERFLOW', maxQueued: 3 })
    expect(await slow.next()).toEqual({ done: true, value: undefined })
    for (let id = 0; id < 4; id++) expect((await roomy.next()).value).toEqual({ type: 'workoutopened', id })
    await roomy.return?.()
  })

  test('throws when the wrapper lacks a requested event, but not for “all”', async () => {
    await using server = await startSessionServer(
      (connection, request) => {
        if (request.Method === 'hello') connection.reply(request, helloReply)
        else if (request.Method === 'subscribe')
          connection.reply(request, { events: ['signedin', 'closing'] })
        else {
          connection.tell('signedin')
          connection.tell('closing')
          connection.reply(request)
        }
      },
      { answersAll: true },
    )
    await using client = await connectWrapper({ brand: server.brand })
    const every = readAll(client.events())
    const error = (await readAll(client.events({ events: ['signedin', 'workoutopened'] }))).error
    expect(error).toMatchObject({
      code: 'ERR_PIPE_UNSUPPORTED',
      message: expect.stringContaining('workoutopened'),
    })
    await client.hide()
    expect(await every).toEqual({ read: [{ type: 'signedin' }, { type: 'closing' }] })
  })

  test('throws when the wrapper refuses the subscription', async () => {
    await using server = await startSessionServer(
      (connection, request) => {
        if (request.Method !== 'hello') connection.fail(request, 'ERR_CLOSING')
        else connection.reply(request, helloReply)
      },
      { answersAll: true },
    )
    await using client = await connectWrapper({ brand: server.brand })
    expect(await readAll(client.events())).toMatchObject({
      error: { code: 'ERR_PIPE_REFUSED', commandCode: 'ERR_CLOSING' },
    })
  })
})
