import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DeadlineTimer } from './deadline-timer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A timer over a list of deadlines, and when it was over. */
function timerOf(deadlines: number[]) {
  const dueAt: number[] = []
  const timer = new DeadlineTimer(nowMs => {
    dueAt.push(Math.round(nowMs))
    const left = deadlines.filter(deadline => deadline > nowMs)
    return Math.min(Number.POSITIVE_INFINITY, ...left)
  })
  for (const deadline of deadlines) timer.watch(deadline)
  return { timer, dueAt }
}

test('is over at each deadline, whatever the order in which they came', () => {
  const start = Math.round(performance.now())
  const { dueAt } = timerOf([300, 100, 200].map(ms => start + ms))
  vi.advanceTimersByTime(1_000)
  expect(dueAt.map(at => at - start)).toEqual([100, 200, 300])
  expect(vi.getTimerCount()).toBe(0)
})

test('is one timer, however many deadlines there are', () => {
  const start = performance.now()
  timerOf([300, 100, 200, 300, 400].map(ms => start + ms))
  expect(vi.getTimerCount()).toBe(1)
})

test('is over no more once it is stopped, and can be used again', () => {
  const start = performance.now()
  const { timer, dueAt } = timerOf([start + 100])
  timer.stop()
  vi.advanceTimersByTime(1_000)
  expect(dueAt).toEqual([])
  timer.watch(performance.now() + 50)
  vi.advanceTimersByTime(50)
  expect(dueAt).toHaveLength(1)
})
