import { expect, test, vi } from 'vitest'
import { Story } from './story.ts'

test.each([
  ['0 if all was shown', 0, async () => undefined],
  ['0 if a step was skipped', 0, async (story: Story) => story.skip('a window', 'there is no screen')],
  ['2 if the main part was skipped', 2, async (story: Story) => story.skip('all', 'no browser', true)],
  [
    '1 if a step failed, whatever was skipped',
    1,
    async (story: Story) => {
      story.skip('all', 'no browser', true)
      await story.step('a step', () => Promise.reject(new Error('broken')))
    },
  ],
])('the exit code is %s', async (_name, code, tell) => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const story = new Story({ mustRun: false })
  await story.chapter('A chapter', () => tell(story))
  expect(story.end()).toBe(code)
  vi.restoreAllMocks()
})
