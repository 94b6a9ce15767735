import { startTexts } from '@service-link/ui/page-language'
import { beforeAll, expect, test } from 'vitest'
import { rangeText } from './pages.tsx'

beforeAll(() => startTexts('en'))

test.each([
  [3, 0, '3 patients'],
  [1000, 50, '51–53 of 1,000 patients'],
  [1001, 0, '1–3 of more than 1,000 patients'],
])('a total of %i from %i on is %j', (total, offset, text) => {
  expect(rangeText('person', { total, items: ['a', 'b', 'c'] }, offset)).toBe(text)
})
