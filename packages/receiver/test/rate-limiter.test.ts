import { describe, expect, test } from 'vitest'
import { createRateLimiter, type ShareRequest } from '../src/index.ts'

const now = new Date('2026-11-21T12:00:20.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const allowed = { isAllowed: true }
const refused = (retryAfterSeconds: number) => ({ isAllowed: false, retryAfterSeconds })

/** Gives out shares of the partners' minutes, as one atomic statement of a database does. */
function sharedCounts() {
  const counts = new Map<string, number>()
  return async ({ partnerId, minute, wanted, maxPerMinute }: ShareRequest) => {
    const key = `${partnerId} ${minute}`
    const granted = Math.min(wanted, maxPerMinute - (counts.get(key) ?? 0))
    counts.set(key, (counts.get(key) ?? 0) + granted)
    return granted
  }
}

describe.each([
  ['of one process', () => createRateLimiter()],
  ['of several processes', () => createRateLimiter(sharedCounts())],
])('a rate limiter %s', (_name, create) => {
  test('counts a minute of the clock, and says when the next begins', async () => {
    const limiter = create()
    for (let count = 0; count < 3; count++) expect(await limiter.take('p', 3, now)).toEqual(allowed)
    expect(await limiter.take('p', 3, now)).toEqual(refused(40))
    expect(await limiter.take('q', 3, now)).toEqual(allowed)
    expect(await limiter.take('p', 3, later(39.5))).toEqual(refused(1))
    expect(await limiter.take('p', 3, later(40))).toEqual(allowed)
  })

  test('counts a late post of the former minute in the new one', async () => {
    const limiter = create()
    const decisions = []
    for (let index = 0; index < 300; index++)
      decisions.push(await limiter.take('p', 180, later(index % 2 === 0 ? 40 : 39)))
    expect(decisions.filter(({ isAllowed }) => isAllowed)).toHaveLength(180)
    expect(decisions.slice(-2)).toEqual([refused(60), refused(61)])
  })

  test('begins anew if the clock was set back', async () => {
    const limiter = create()
    expect(await limiter.take('p', 1, later(3600))).toEqual(allowed)
    expect(await limiter.take('p', 1, now)).toEqual(allowed)
    expect(await limiter.take('p', 1, now)).toEqual(refused(40))
    expect(await limiter.take('q', 1, later(300))).toEqual(allowed)
    expect(await limiter.take('q', 1, now)).toEqual(allowed)
    expect(await limiter.take('r', 1, later(240))).toEqual(allowed)
    expect(await limiter.take('r', 1, now)).toEqual(refused(280))
  })

  test('lets one more through for each that is given back in its minute', async () => {
    const limiter = create()
    for (let count = 0; count < 20; count++) {
      expect(await limiter.take('p', 1, now)).toEqual(allowed)
      await limiter.giveBack('p', now)
    }
    expect(await limiter.take('p', 1, now)).toEqual(allowed)
    expect(await limiter.take('p', 1, now)).toEqual(refused(40))
    expect(await limiter.take('p', 1, later(40))).toEqual(allowed)
    await limiter.giveBack('p', now)
    expect(await limiter.take('p', 1, later(40))).toEqual(refused(60))
  })
})

test('of too many keys the one is forgotten that came the longest ago', async () => {
  const limiter = createRateLimiter(undefined, { maxKeys: 2 })
  for (const key of ['a', 'a', 'b', 'b', 'a', 'c']) await limiter.take(key, 2, now)
  const decisions = [await limiter.take('a', 2, now), await limiter.take('b', 2, now)]
  expect(decisions).toEqual([refused(40), allowed])
})
