import { expect, test, vi } from 'vitest'
import type { WrapperEvent } from './events.ts'
import { createReporter, guardOwn } from './log.ts'

test('events before the log’s opening are written first', () => {
  const reporter = createReporter(() => undefined)
  reporter.report({ type: 'page-crashed' })
  const log = vi.fn()
  reporter.writeTo(log)
  reporter.report({ type: 'closing' })
  expect(log.mock.calls).toEqual([[{ type: 'page-crashed' }], [{ type: 'closing' }]])
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
