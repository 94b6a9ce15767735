import { expect, test } from 'vitest'
import type { WrapperEvent } from '../log/wrapper-event.ts'
import { guardOwn } from './own-function.ts'

test('what a function of an integrator throws or rejects with is reported by its kind alone', async () => {
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
