import { describe, expect, test, vi } from 'vitest'
import type { WrapperEvent } from './events.ts'
import { createReporter, EventBudget, guardOwn } from './log.ts'

const unclear: WrapperEvent = { type: 'page-message-unclear', places: 'person' }

test('a page that sends endless nonsense fills neither the log nor standard error', () => {
  const onNotice = vi.fn()
  const reporter = createReporter(onNotice)
  const log = vi.fn()
  for (let count = 0; count < 50_000; count++) reporter.report(unclear)
  reporter.writeTo(log)
  for (let count = 0; count < 50_000; count++) reporter.report(unclear)
  // A second minute counts only on a very slow machine.
  expect(log.mock.calls.length).toBeLessThan(10_000)
  expect(onNotice.mock.calls.length).toBe(log.mock.calls.length)
})

test('dropped events are counted at the end', () => {
  const reporter = createReporter(() => undefined)
  const told: WrapperEvent[] = []
  reporter.writeTo(event => told.push(event))
  for (let count = 0; count < 5_000; count++) reporter.report(unclear)
  reporter.report({ type: 'closing' })
  reporter.tellDropped()
  const counts = told.map(event => (event.type === 'events-dropped' ? event.count : 1))
  expect(told.at(-1)).toMatchObject({ type: 'events-dropped', of: 'page-message-unclear' })
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5_001)
})

test('events before the log’s opening are written first', () => {
  const reporter = createReporter(() => undefined)
  reporter.report({ type: 'page-crashed' })
  const log = vi.fn()
  reporter.writeTo(log)
  reporter.report({ type: 'closing' })
  expect(log.mock.calls).toEqual([[{ type: 'page-crashed' }], [{ type: 'closing' }]])
})

const crash = { type: 'page-crashed' } as const
const closing = { type: 'closing' } as const

describe('EventBudget', () => {
  test('takes a number of a type per minute, and later reports the dropped ones', () => {
    const budget = new EventBudget(2)
    expect(budget.take(crash, 0)).toEqual([crash])
    expect(budget.take(crash, 59_999)).toEqual([crash])
    expect(budget.take(crash, 59_999)).toEqual([])
    expect(budget.take(crash, 59_999)).toEqual([])
    expect(budget.take(crash, 60_000)).toEqual([
      { type: 'events-dropped', of: 'page-crashed', count: 2 },
      crash,
    ])
    expect(budget.take(crash, 60_000)).toEqual([crash])
    expect(budget.take(crash, 60_000)).toEqual([])
  })

  test('a minute without drops is not reported', () => {
    const budget = new EventBudget(1)
    budget.take(crash, 0)
    expect(budget.take(crash, 60_000)).toEqual([crash])
  })

  test('at the end reports the unreported drops once', () => {
    const budget = new EventBudget(1)
    budget.take(crash, 0)
    budget.take(crash, 1)
    budget.take(closing, 1)
    expect(budget.takeDropped()).toEqual([{ type: 'events-dropped', of: 'page-crashed', count: 1 }])
    expect(budget.takeDropped()).toEqual([])
    expect(budget.take(crash, 60_000)).toEqual([crash])
  })

  test('types have separate budgets', () => {
    const budget = new EventBudget(1)
    budget.take(crash, 0)
    expect(budget.take(closing, 0)).toEqual([closing])
  })
})

test('an error of an integrator’s function is reported by its kind alone', async () => {
  const events: WrapperEvent[] = []
  const report = (event: WrapperEvent) => void events.push(event)
  const secret = () => {
    throw new TypeError('Kari Nordmann')
  }
  expect(guardOwn('texts', secret, report, () => 'instead')()).toBe('instead')
  const rejecting = guardOwn(
    'openExternal',
    async () => secret(),
    report,
    async () => undefined,
  )
  await expect(rejecting()).rejects.toThrow(TypeError)
  expect(events).toEqual([
    { type: 'own-function-failed', of: 'texts', kind: 'TypeError' },
    { type: 'own-function-failed', of: 'openExternal', kind: 'TypeError' },
  ])
  expect(
    guardOwn(
      'texts',
      (word: string) => word,
      report,
      () => '',
    )('own'),
  ).toBe('own')
})
