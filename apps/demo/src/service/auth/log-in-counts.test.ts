import { expect, test } from 'vitest'
import { logInCounts } from './log-in-counts.ts'

test('log-ins over the limit are refused until the window is over, and by this service alone', async () => {
  const clock = { ms: 0 }
  const rule = { window: 60, max: 2 }
  const counts = logInCounts(() => clock.ms)
  const ask = () => counts.consume?.('address', rule)
  expect([await ask(), await ask()]).toMatchObject([{ allowed: true }, { allowed: true }])
  clock.ms = 20_000
  expect(await ask()).toEqual({ allowed: false, retryAfter: 40 })
  expect(await counts.consume?.('other', rule)).toMatchObject({ allowed: true })
  expect(await logInCounts(() => clock.ms).consume?.('address', rule)).toMatchObject({ allowed: true })
  clock.ms = 60_000
  expect(await ask()).toMatchObject({ allowed: true })
})
