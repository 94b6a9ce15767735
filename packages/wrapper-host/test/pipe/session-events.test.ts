import { encodeFrame, type SessionEvent } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import type { PipeParts } from '../../src/pipe/pipe-parts.ts'
import { servePipe } from '../support/pipe.ts'
import { openSessionPipe } from '../support/session-pipe.ts'

const limit = { timeout: 60_000, interval: 5 }
const users = (id: number) => encodeFrame(JSON.stringify({ Id: id, Method: 'getlistofusers' }))

/** A source whose events the test makes. */
function telling() {
  const listeners = new Set<(event: SessionEvent) => void>()
  const source: PipeParts['statusKeeper'] = {
    status: () => ({ loaded: true, signedin: true, person: null }),
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return {
    source,
    listeners,
    tell(event: SessionEvent) {
      for (const listener of listeners) listener(event)
    },
  }
}

test('unread events end their connection, and others still get theirs', async () => {
  const keeper = telling()
  await using pipe = await servePipe(async () => [], { maxUnreadEventBytes: 64 * 1024 }, keeper.source)
  const deaf = await openSessionPipe(pipe.address)
  const hearing = await openSessionPipe(pipe.address)
  for (const client of [deaf, hearing]) await client.ask(1, 'subscribe', { events: ['personselected'] })
  deaf.socket.pause()
  const person = { firstname: 'x'.repeat(4000) }
  let told = 0
  while (keeper.listeners.size === 2) {
    keeper.tell({ event: 'personselected', data: person })
    told++
    await new Promise(done => setImmediate(done))
  }
  await expect.poll(() => hearing.messages.length, limit).toBe(told + 1)
  keeper.tell({ event: 'personselected', data: {} })
  await expect.poll(() => hearing.messages.at(-1), limit).toEqual({ Event: 'personselected', Data: {} })
  for (const { socket } of [deaf, hearing]) socket.destroy()
})

test('a reading client gets any number of events, beside any other traffic', async () => {
  const keeper = telling()
  const text = 'x'.repeat(200_000)
  const limits = { maxUnreadEventBytes: 128 * 1024 }
  await using pipe = await servePipe(async () => [{ id: 1, text }], limits, keeper.source)
  const client = await openSessionPipe(pipe.address)
  await client.ask('subscribe', 'subscribe', { events: ['personselected'] })
  const isClosed = client.closed().then(() => true)
  const atATime = 8
  const count = 400
  for (let id = 0; id < atATime; id++) client.socket.write(users(id))
  let heard = 0
  for (let id = atATime; id < count; id++) {
    const answered = () => client.messages.filter(({ Result }) => Array.isArray(Result)).length
    // Keeps bytes on their way at any time.
    await expect.poll(answered, limit).toBeGreaterThan(id - atATime)
    client.socket.write(users(id))
    keeper.tell({ event: 'personselected', data: { firstname: 'x'.repeat(4000) } })
    heard++
    expect(client.socket.destroyed).toBe(false)
  }
  await client.answer(count - 1)
  expect(client.messages.filter(({ Event }) => Event)).toHaveLength(heard)
  client.socket.destroy()
  expect(await isClosed).toBe(true)
})

describe('subscriptions', () => {
  test('follow the last choice, without unknown names', async () => {
    const keeper = telling()
    await using pipe = await servePipe(async () => [], {}, keeper.source)
    using client = await openSessionPipe(pipe.address)
    expect(await client.ask(1, 'subscribe', { events: ['signedin', 'earthquake', 'SignedOut'] })).toEqual({
      Id: 1,
      Result: { events: ['signedin', 'signedout'] },
    })
    keeper.tell({ event: 'signedin', data: null })
    keeper.tell({ event: 'workoutopened', data: { id: 1 } })
    expect(await client.ask(2, 'subscribe', { events: ['workoutopened'] })).toMatchObject({ Id: 2 })
    keeper.tell({ event: 'signedout', data: { reason: 'user' } })
    keeper.tell({ event: 'workoutopened', data: { id: 2 } })
    expect(await client.ask(3, 'subscribe', { events: ['earthquake'] })).toEqual({
      Id: 3,
      Result: { events: [] },
    })
    keeper.tell({ event: 'workoutopened', data: { id: 3 } })
    await client.ask(4, 'version')
    expect(client.messages.flatMap(({ Event, Data }) => (Event ? [[Event, Data]] : []))).toEqual([
      ['signedin', null],
      ['workoutopened', { id: 2 }],
    ])
    expect(keeper.listeners.size).toBe(0)
    await client.ask(5, 'subscribe', { events: ['closing'] })
    expect(await client.ask(6, 'subscribe', { events: [] })).toEqual({ Id: 6, Result: { events: [] } })
    expect(keeper.listeners.size).toBe(0)
  })

  test('end with their connection', async () => {
    const keeper = telling()
    await using pipe = await servePipe(async () => [], {}, keeper.source)
    const clients = await Promise.all(Array.from({ length: 5 }, () => openSessionPipe(pipe.address)))
    for (const client of clients) await client.ask(1, 'subscribe', { events: ['closing'] })
    expect(keeper.listeners.size).toBe(5)
    for (const { socket } of clients) socket.destroy()
    await expect.poll(() => keeper.listeners.size, limit).toBe(0)
  })
})
