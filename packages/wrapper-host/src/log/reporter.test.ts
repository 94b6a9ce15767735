import { JsonError } from '@service-link/protocol-core'
import { expect, test, vi } from 'vitest'
import type { WrapperEvent } from './events.ts'
import { kindOf } from './failure-reason.ts'
import { createReporter, guardOwn } from './log.ts'

test('all events go to the log, warnings and errors to people, and a failing notice is no loop', () => {
  const log = vi.fn()
  const onNotice = vi.fn(() => {
    throw new TypeError('Kari Nordmann')
  })
  const report = createReporter(log, onNotice)
  report({ type: 'closing' })
  report({ type: 'page-crashed' })
  const failed = { type: 'own-function-failed', of: 'onNotice', kind: 'TypeError' }
  expect(log.mock.calls).toEqual([[{ type: 'closing' }], [{ type: 'page-crashed' }], [failed]])
  expect(onNotice.mock.calls).toEqual([['The web app’s page has crashed.']])
})

test('a field that a program sends again and again is reported once, and not endless fields', () => {
  const log = vi.fn()
  const report = createReporter(log)
  const dropped = (field: string) =>
    report({ type: 'field-dropped', source: 'pipe', field, problem: 'must be an object' })
  for (const field of ['gender', 'gender', 'profiledata.1', 'profiledata.2']) dropped(field)
  expect(log.mock.calls.map(([{ field }]) => field)).toEqual(['gender', 'profiledata.1'])
  for (let index = 0; index < 1000; index++) dropped('x'.repeat(index))
  expect(log).toHaveBeenCalledTimes(100)
})

test('an error of an integrator’s function is reported by its kind alone', async () => {
  const events: WrapperEvent[] = []
  const report = (event: WrapperEvent) => void events.push(event)
  const secret = () => {
    throw new TypeError('Kari Nordmann')
  }
  expect(guardOwn('tray', secret, report, () => 'instead')()).toBe('instead')
  const rejecting = guardOwn(
    'openExternal',
    async () => secret(),
    report,
    async () => undefined,
  )
  await expect(rejecting()).rejects.toThrow(TypeError)
  expect(events).toEqual([
    { type: 'own-function-failed', of: 'tray', kind: 'TypeError' },
    { type: 'own-function-failed', of: 'openExternal', kind: 'TypeError' },
  ])
  expect(
    guardOwn(
      'tray',
      (word: string) => word,
      report,
      () => '',
    )('own'),
  ).toBe('own')
})

test.each<[unknown, string]>([
  [new JsonError('Kari Nordmann'), 'ERR_JSON'],
  [Object.assign(new Error('stat /home/kari'), { code: 'ELOOP' }), 'ELOOP'],
  [Object.assign(new TypeError('Kari'), { code: 'ERR_INVALID_ARG_TYPE' }), 'ERR_INVALID_ARG_TYPE'],
  [new RangeError('Kari Nordmann'), 'RangeError'],
  [Object.assign(new Error('x'), { name: 'KariNordmann' }), 'an error of its own'],
  [Object.assign(new Error('x'), { code: 'Kari Nordmann' }), 'Error'],
  ['Kari Nordmann', 'no error'],
  [undefined, 'no error'],
])('the kind of an error holds no free text: %#', (error, kind) => {
  expect(kindOf(error)).toBe(kind)
})
