import { registeredKey } from '@service-link/test-kit/payload-vectors'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { importKeySet } from './key-set.ts'

const [freshMs, staleMs] = [10 * 60_000, 60 * 60_000]
const [coolDownMs, failedCoolDownMs] = [30_000, 5_000]

const one = publishedKey('p256')
const two = publishedKey('p384')

const algorithms = new Map([
  [one, 'ES256'],
  [two, 'ES384'],
] as const)

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

describe('a key set over time', () => {
  test('is fetched at first need, and again after ten minutes', async () => {
    const { find } = createSetting()
    expect(await find()).toEqual([1, 1])
    pass(freshMs - 1)
    expect(await find()).toEqual([1, 1])
    pass(1)
    expect(await find()).toEqual([1, 2])
  })

  test('is fetched again for a missing key, but not within the cool-down', async () => {
    const { find, server } = createSetting()
    expect(await find(two)).toEqual([0, 1])
    server.answer = async () => setOf(two)
    pass(coolDownMs - 1)
    expect(await find(two)).toEqual([0, 1])
    pass(1)
    expect(await find(two)).toEqual([1, 2])
    // The partner has removed it.
    expect(await find(one)).toEqual([0, 2])
  })

  test('is fetched again after a failure once the failure’s cool-down is over', async () => {
    const { find, server } = createSetting()
    server.answer = fails
    expect(await find()).toEqual(['failure', 1])
    expect(await find()).toEqual(['failure', 1])
    pass(failedCoolDownMs - 1)
    expect(await find()).toEqual(['failure', 1])
    server.answer = async () => setOf(one)
    pass(1)
    expect(await find()).toEqual([1, 2])
  })

  test('is used for at most an hour while it cannot be fetched', async () => {
    const { find, server } = createSetting()
    await find()
    server.answer = fails
    pass(freshMs)
    expect(await find()).toEqual([1, 2])
    expect(await find()).toEqual([1, 2])
    // The unreachable set may hold this key.
    expect(await find(two)).toEqual(['failure', 2])
    pass(staleMs - freshMs - 1)
    expect(await find()).toEqual([1, 3])
    pass(1)
    expect(await find()).toEqual(['failure', 3])
    pass(failedCoolDownMs)
    expect(await find()).toEqual(['failure', 4])
  })

  test('delays only the first post in an outage, and posts with an unknown key', async () => {
    const { find, server } = createSetting()
    await find()
    server.answer = fails
    pass(freshMs)
    expect(await find()).toEqual([1, 2])
    const slow = Promise.withResolvers<Response>()
    server.answer = () => slow.promise
    pass(failedCoolDownMs)
    // Each of these would wait forever.
    expect(await find()).toEqual([1, 3])
    expect(await find()).toEqual([1, 3])
    const withoutKey = find(two)
    slow.resolve(setOf(two))
    expect(await withoutKey).toEqual([1, 3])
    expect(await find(one)).toEqual([0, 3])
  })

  test('is not used longer when the clock goes back', async () => {
    const { find, server } = createSetting()
    await find()
    pass(-86_400_000)
    server.answer = async () => setOf(two)
    expect(await find(two)).toEqual([1, 2])
  })
})

type PublishedKey = ReturnType<typeof publishedKey>

function publishedKey(name: string) {
  const key = registeredKey(name)
  if (key.kind !== 'jwk') throw new TypeError('A key of another kind was expected.')
  return key.jwk
}

function setOf(key: PublishedKey): Response {
  return Response.json({ keys: [key] })
}

async function fails(): Promise<Response> {
  throw new RangeError('down')
}

function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms)
}

/** A key set whose server the test controls. */
function createSetting() {
  let requests = 0
  const server: { answer: () => Promise<Response> } = { answer: async () => setOf(one) }
  const set = importKeySet(
    { kind: 'jwks', url: 'https://partner.example/keys' },
    {
      fetch: () => {
        requests++
        return server.answer()
      },
    },
  )
  return {
    server,
    /** Returns the number of keys found and of requests so far. */
    find: async (key = one): Promise<readonly [number | 'failure', number]> => {
      try {
        const found = await set.materialFor(algorithms.get(key) ?? 'EdDSA', { kid: key.kid })
        return [[found].flat().length, requests]
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error
        return [error.code === 'ERR_UNAVAILABLE' ? 'failure' : 0, requests]
      }
    },
  }
}
