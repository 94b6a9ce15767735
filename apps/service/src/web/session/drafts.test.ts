import { expect, test } from 'vitest'
import { draftOf, keepDraft } from './drafts.ts'

test('the end of one account’s save takes nothing from the drafts of the next account', () => {
  const draft = { diagnosis: { seen: null, value: 'L15' } }
  keepDraft('one', 3, draft)
  keepDraft('other', 7, draft)
  keepDraft('one', 3)
  expect(draftOf('other', 7)).toEqual(draft)
  keepDraft('other', 7)
  expect(draftOf('other', 7)).toBeUndefined()
})
