import { describe, expect, test } from 'vitest'
import { registeredKey } from '../../test/_vectors.ts'
import { importVerificationKey } from './import-verification-key.ts'
import { coolDownMs, createKeySetCache, failedCoolDownMs, freshMs, staleMs } from './key-set-cache.ts'
import type { KeySet } from './read-key-set.ts'

const one = await importVerificationKey(registeredKey('rsa'))
const two = await importVerificationKey(registeredKey('p256'))

const patienceMs = 5000

/** A cache whose clock and server the test moves. */
function createSetting() {
  let now = Date.parse('2026-06-01T12:00:00Z')
  let requests = 0
  const server: { answer: () => Promise<KeySet> } = { answer: async () => ({ keys: [one], ignored: [] }) }
  const cache = createKeySetCache(
    () => {
      requests++
      return server.answer()
    },
    () => new Date(now),
    patienceMs,
  )
  return {
    server,
    pass: (ms: number) => {
      now += ms
    },
    /** Asks for a key of a type; tells what is found, and how many requests there have been. */
    find: async (key = one) => {
      const found = await cache.find(keys => keys.filter(candidate => candidate === key))
      return ['failure' in found ? 'failure' : found.keys.length, requests] as const
    },
  }
}

const fails = async () => {
  throw new RangeError('down')
}

describe('a key set over time', () => {
  test('is asked for when it is first needed, and again when it is ten minutes old', async () => {
    const { find, pass } = createSetting()
    expect(await find()).toEqual([1, 1])
    pass(freshMs - 1)
    expect(await find()).toEqual([1, 1])
    pass(1)
    expect(await find()).toEqual([1, 2])
  })

  test('however many need it at once, one request is made', async () => {
    const { find, server } = createSetting()
    const gate = Promise.withResolvers<KeySet>()
    server.answer = () => gate.promise
    const found = [find(), find(two), find()]
    gate.resolve({ keys: [one], ignored: [] })
    expect(await Promise.all(found)).toEqual([
      [1, 1],
      [0, 1],
      [1, 1],
    ])
  })

  test('a key that is not in it asks again, but not within the cool-down', async () => {
    const { find, pass, server } = createSetting()
    expect(await find(two)).toEqual([0, 1])
    server.answer = async () => ({ keys: [two], ignored: [] })
    pass(coolDownMs - 1)
    expect(await find(two)).toEqual([0, 1])
    pass(1)
    expect(await find(two)).toEqual([1, 2])
    // The partner has removed it.
    expect(await find(one)).toEqual([0, 2])
  })

  test('one that was never had is asked for again only after the cool-down of a failure', async () => {
    const { find, pass, server } = createSetting()
    const { answer } = server
    server.answer = fails
    expect(await find()).toEqual(['failure', 1])
    expect(await find()).toEqual(['failure', 1])
    pass(failedCoolDownMs - 1)
    expect(await find()).toEqual(['failure', 1])
    server.answer = answer
    pass(1)
    expect(await find()).toEqual([1, 2])
  })

  test('an answer that is overtaken by a later one counts no more', async () => {
    const { find, pass, server } = createSetting()
    const slow = Promise.withResolvers<KeySet>()
    const { answer } = server
    server.answer = () => slow.promise
    const waiting = find(two)
    pass(patienceMs)
    server.answer = answer
    expect(await find(one)).toEqual([1, 2])
    slow.resolve({ keys: [two], ignored: [] })
    expect(await waiting).toEqual([0, 2])
    expect(await find(one)).toEqual([1, 2])
  })

  test('while a newer one cannot be had the known one is used for an hour, and no longer', async () => {
    const { find, pass, server } = createSetting()
    await find()
    server.answer = fails
    pass(freshMs)
    expect(await find()).toEqual([1, 2])
    expect(await find()).toEqual([1, 2])
    // What it does not hold may be in the one that cannot be had.
    expect(await find(two)).toEqual(['failure', 2])
    pass(staleMs - freshMs - 1)
    expect(await find()).toEqual([1, 3])
    pass(1)
    expect(await find()).toEqual(['failure', 3])
    pass(failedCoolDownMs)
    expect(await find()).toEqual(['failure', 4])
  })

  test('in an outage only the first waits: who has a key in the known one is answered while it is asked for again', async () => {
    const { find, pass, server } = createSetting()
    await find()
    server.answer = fails
    pass(freshMs)
    expect(await find()).toEqual([1, 2])
    const slow = Promise.withResolvers<KeySet>()
    server.answer = () => slow.promise
    pass(failedCoolDownMs)
    // Each of these would wait without end.
    expect(await find()).toEqual([1, 3])
    expect(await find()).toEqual([1, 3])
    const withoutKey = find(two)
    slow.resolve({ keys: [two], ignored: [] })
    expect(await withoutKey).toEqual([1, 3])
    expect(await find(one)).toEqual([0, 3])
  })

  test('a key that the partner has removed meanwhile is refused when the set can be had, also long after an outage', async () => {
    const { find, pass, server } = createSetting()
    await find()
    server.answer = fails
    pass(freshMs)
    expect(await find()).toEqual([1, 2])
    server.answer = async () => ({ keys: [two], ignored: [] })
    pass(freshMs)
    expect(await find()).toEqual([0, 3])
  })

  test('a failure that comes later than the success of a later request counts no more', async () => {
    const { find, pass, server } = createSetting()
    const slow = Promise.withResolvers<KeySet>()
    const { answer } = server
    server.answer = () => slow.promise
    const waiting = find()
    pass(patienceMs)
    server.answer = answer
    expect(await find()).toEqual([1, 2])
    slow.reject(new RangeError('down'))
    expect(await waiting).toEqual([1, 2])
    // It is known that the set does not have it: that is no outage.
    expect(await find(two)).toEqual([0, 2])
    pass(failedCoolDownMs)
    expect(await find(two)).toEqual([0, 2])
  })

  test('a request that never ends holds up nobody who comes after its time', async () => {
    const { find, pass, server } = createSetting()
    const { answer } = server
    server.answer = () => new Promise(() => undefined)
    void find()
    pass(patienceMs - 1)
    void find()
    server.answer = answer
    pass(1)
    expect(await find()).toEqual([1, 2])
  })

  test('a clock that is set back lengthens nothing', async () => {
    const { find, pass, server } = createSetting()
    await find()
    pass(-86_400_000)
    server.answer = async () => ({ keys: [two], ignored: [] })
    expect(await find(two)).toEqual([1, 2])
  })
})
