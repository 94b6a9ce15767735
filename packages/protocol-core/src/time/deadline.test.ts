import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ParameterError } from '../errors/parameter-error.ts'
import { Deadline, growingPause, maxTimerMs, pause, waitFor } from './deadline.ts'

const tooLate = () => new Error('too late')
const never = () => new Promise<never>(() => {})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

/** A signal with counted listeners. */
function countedSignal() {
  const controller = new AbortController()
  let listeners = 0
  const { addEventListener, removeEventListener } = controller.signal
  controller.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++
    addEventListener.apply(controller.signal, args)
  }
  controller.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--
    removeEventListener.apply(controller.signal, args)
  }
  return { controller, signal: controller.signal, listeners: () => listeners }
}

describe('a deadline', () => {
  test.each([-1, Number.NaN])('refuses a time-out of %s', timeoutMs => {
    expect(() => new Deadline(timeoutMs)).toThrow(ParameterError)
  })

  test('waits at most as long as a timer can', () => {
    expect(new Deadline(Number.POSITIVE_INFINITY).timeoutMs).toBe(maxTimerMs)
  })

  test('covers all steps: the second wait has the time left by the first', async () => {
    const deadline = new Deadline(100)
    await vi.advanceTimersByTimeAsync(70)
    expect(deadline.leftMs).toBe(30)
    const waiting = deadline.waitFor(never(), tooLate)
    const settled = expect(waiting).rejects.toThrow('too late')
    await vi.advanceTimersByTimeAsync(29)
    expect(deadline.isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await settled
    expect(deadline.isOver).toBe(true)
    expect(deadline.leftMs).toBe(0)
  })

  test('gives a step at most the time left', async () => {
    const deadline = new Deadline(100)
    await vi.advanceTimersByTimeAsync(40)
    expect(deadline.atMost(10).leftMs).toBe(10)
    expect(deadline.atMost(1_000).leftMs).toBe(60)
  })

  test('passes on a result and a failure, and leaves no listener on the signal', async () => {
    const { signal, listeners } = countedSignal()
    const deadline = new Deadline(100, signal)
    await expect(deadline.waitFor(Promise.resolve(1), tooLate)).resolves.toBe(1)
    await expect(deadline.waitFor(Promise.reject(new Error('no')), tooLate)).rejects.toThrow('no')
    expect(listeners()).toBe(0)
  })

  test('ends a wait with the signal’s reason, before and during it', async () => {
    const { controller, signal, listeners } = countedSignal()
    const deadline = new Deadline(100, signal)
    const settled = expect(deadline.waitFor(never(), tooLate)).rejects.toThrow('left')
    controller.abort(new Error('left'))
    await settled
    expect(listeners()).toBe(0)
    await expect(deadline.waitFor(never(), tooLate)).rejects.toThrow('left')
  })

  test('ends all waits for its limit by hand, without waiting for the time', async () => {
    const { signal, listeners } = countedSignal()
    using limit = new Deadline(100, signal).limit(tooLate)
    const settled = expect(waitFor(never(), limit.signal)).rejects.toThrow('closed')
    limit.abort(new Error('closed'))
    await settled
    limit[Symbol.dispose]()
    expect(listeners()).toBe(0)
  })
})

test('a late failure of abandoned work is no unhandled rejection', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  await expect(waitFor(promise, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  reject(new Error('late'))
  vi.useRealTimers()
  await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  vi.useFakeTimers()
})

test('a pause ends after its time, or with the signal’s reason', async () => {
  const { controller, signal, listeners } = countedSignal()
  const first = expect(pause(10, signal)).resolves.toBeUndefined()
  await vi.advanceTimersByTimeAsync(10)
  await first
  const second = expect(pause(10, signal)).rejects.toThrow('left')
  controller.abort(new Error('left'))
  await second
  expect(listeners()).toBe(0)
})

const bounds = { firstMs: 2000, longestMs: 30_000 }

test('each pause is twice the last, up to the longest', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 5000].map(attempt =>
    growingPause(attempt, { ...bounds, random: () => 1 }),
  )
  expect(pauses).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

test('chance removes up to half of it', () => {
  const pauses = [0, 0.5, 1].map(chance => growingPause(5000, { ...bounds, random: () => chance }))
  expect(pauses).toEqual([15_000, 22_500, 30_000])
})

test('two desktops wait for different times', () => {
  const pauses = Array.from({ length: 20 }, () => growingPause(5, bounds))
  expect(new Set(pauses).size).toBeGreaterThan(1)
})
