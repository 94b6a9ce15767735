import { expect, test, vi } from 'vitest'
import type { WrapperEvent } from '../log/wrapper-event.ts'
import { createReporter } from './reporter.ts'

const unclear: WrapperEvent = { type: 'page-message-unclear', places: 'person' }

test('a page that sends nonsense without end fills neither the log nor standard error', () => {
  const onNotice = vi.fn()
  const reporter = createReporter(onNotice)
  const log = vi.fn()
  for (let count = 0; count < 50_000; count++) reporter.report(unclear)
  reporter.writeTo(log)
  for (let count = 0; count < 50_000; count++) reporter.report(unclear)
  // More than one minute's worth only where the machine takes longer than that.
  expect(log.mock.calls.length).toBeLessThan(10_000)
  expect(onNotice.mock.calls.length).toBe(log.mock.calls.length)
})

test('what was left out is told at the end', () => {
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

test('what happened before there was a log is written first', () => {
  const reporter = createReporter(() => undefined)
  reporter.report({ type: 'page-crashed' })
  const log = vi.fn()
  reporter.writeTo(log)
  reporter.report({ type: 'closing' })
  expect(log.mock.calls).toEqual([[{ type: 'page-crashed' }], [{ type: 'closing' }]])
})
