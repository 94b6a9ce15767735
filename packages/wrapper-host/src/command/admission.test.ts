import { SupersededError } from '@service-link/protocol-core/errors'
import { expect, test } from 'vitest'
import { type FocusChange, SerialLane, SessionTies, Turns } from './admission.ts'

test('pieces run one after the other in their order', async () => {
  const lane = new SerialLane()
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const runs = [
    lane.add(async () => {
      order.push('first begins')
      await first.promise
      order.push('first ends')
    }),
    lane.add(async () => void order.push('second')),
    lane.add(async () => void order.push('third')),
  ]
  first.resolve()
  await Promise.all(runs)
  expect(order).toEqual(['first begins', 'first ends', 'second', 'third'])
})

test('a failing piece does not stop the next', async () => {
  const lane = new SerialLane()
  const failing = lane.add(() => Promise.reject(new Error('no')))
  const next = lane.add(async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('a waiting piece is dropped when its signal aborts, and never runs', async () => {
  const lane = new SerialLane()
  const first = Promise.withResolvers<void>()
  const giveUp = new AbortController()
  let hasRun = false
  const running = lane.add(() => first.promise)
  const waiting = lane.add(
    async () => {
      hasRun = true
    },
    { signal: giveUp.signal },
  )
  giveUp.abort(new Error('given up'))
  await expect(waiting).rejects.toThrow('given up')
  first.resolve()
  await running
  await lane.add(async () => undefined)
  expect(hasRun).toBe(false)
})

test('closing fails waiting and later pieces with ERR_CLOSING', async () => {
  const lane = new SerialLane()
  const running = lane.add(() => new Promise<never>(() => undefined))
  const waiting = lane.add(async () => 'never')
  lane.close()
  for (const piece of [running, waiting, lane.add(async () => 'never')])
    await expect(piece).rejects.toMatchObject({ code: 'ERR_CLOSING' })
})

const [a, b, c] = [{}, {}, {}]

/** Takes all waiting pieces in order. */
function drain(turns: Turns<string>): readonly string[] {
  const taken: string[] = []
  for (let piece = turns.take(); piece; piece = turns.take()) taken.push(piece)
  return taken
}

/** Turns with pieces `a1`, `b1` and so on; the first letter names the client. */
function turnsOf(...pieces: readonly string[]): Turns<string> {
  const turns = new Turns<string>()
  for (const piece of pieces) turns.add(piece, { client: { a, b, c }[piece[0] ?? ''] ?? {} })
  return turns
}

test('clients take turns, and the pieces of each keep their order', () => {
  expect(drain(turnsOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect(drain(turnsOf())).toEqual([])
})

test('a client that arrives during another’s turn is next, for any backlog', () => {
  const turns = turnsOf('a1', 'a2', 'a3')
  expect(turns.take()).toBe('a1')
  turns.add('b1', { client: b })
  turns.add('a4', { client: a })
  expect(drain(turns)).toEqual(['b1', 'a2', 'a3', 'a4'])
})

test('a client that always has one more piece does not pass a waiting one', () => {
  const turns = turnsOf('a1', 'b1', 'b2')
  expect(turns.take()).toBe('a1')
  turns.add('a2', { client: a })
  expect(turns.take()).toBe('b1')
  turns.add('a3', { client: a })
  expect(drain(turns)).toEqual(['a2', 'b2', 'a3'])
})

test('an exclusive piece overtakes nothing and is overtaken by nothing', () => {
  const turns = turnsOf('a1', 'a2')
  turns.add('alone', { client: b, isAlone: true })
  for (const piece of ['a3', 'a4']) turns.add(piece, { client: a })
  turns.add('b1', { client: b })
  expect(drain(turns)).toEqual(['a1', 'a2', 'alone', 'a3', 'b1', 'a4'])
})

test('a removed piece is not taken and blocks nothing', () => {
  const turns = turnsOf('a1')
  const removals = [
    turns.add('a2', { client: a }),
    turns.add('alone', { client: b, isAlone: true }),
    turns.add('b1', { client: b }),
  ]
  turns.add('b2', { client: b })
  for (const remove of removals) remove()
  expect(drain(turns)).toEqual(['a1', 'b2'])
  for (const remove of removals) remove()
  turns.add('c1', { client: c })
  expect(drain(turns)).toEqual(['c1'])
})

test('a choice that has given way does not do the end that came after it', () => {
  const ties = new SessionTies()
  const choice = ties.add({ isSigningOn: false, reason: () => new Error(), focus: { customId: 'A' } })
  using end = ties.add({ isSigningOn: false, reason: () => new Error(), focus: { isEnd: true } })
  expect(choice.signal.reason).toBeInstanceOf(SupersededError)
  choice[Symbol.dispose]()
  choice.drawn()
  expect(end.signal.aborted).toBe(false)
})

test.each(['drawn', 'replaced'] as const)(
  'a later choice, once %s, has done earlier ends, and no later one',
  how => {
    const ties = new SessionTies()
    const done = new Error('done')
    const add = (focus: FocusChange) => ties.add({ isSigningOn: false, reason: () => done, focus })
    using before = add({ isEnd: true })
    using choice = add({ customId: 'B' })
    using after = add({ customId: 'C', isEnd: true })
    expect(before.signal.aborted).toBe(false)
    choice[how]()
    expect(before.signal.reason).toBe(done)
    expect(after.signal.aborted).toBe(false)
  },
)
