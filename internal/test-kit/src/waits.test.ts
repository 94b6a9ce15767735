import { expect, test } from 'vitest'
import { eventually } from './waits.ts'

test('what comes about is given back', async () => {
  let asked = 0
  expect(await eventually('The third answer', () => (++asked === 3 ? asked : undefined))).toBe(3)
})

test.each([
  ['is never given', () => new Promise<undefined>(() => undefined)],
  ['is always “not yet”', () => undefined],
])('an answer that %s is not awaited for ever', async (_name, ask) => {
  await expect(eventually('The answer', ask, 30)).rejects.toThrow(
    'The answer did not come about within 30 ms',
  )
})
