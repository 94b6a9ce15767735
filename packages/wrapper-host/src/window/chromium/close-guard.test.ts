import { describe, expect, it } from 'vitest'
import { CloseGuard } from './close-guard.ts'
import type { DevToolsEvent } from './devtools-protocol.ts'

const url = 'http://app.example/next'
const requested = (to = url): DevToolsEvent => ({
  name: 'Page.frameRequestedNavigation',
  facts: { frameId: 'main', url: to },
  sessionId: 's',
})
const started = (to = url, frameId = 'main'): DevToolsEvent => ({
  name: 'Page.frameStartedNavigating',
  facts: { frameId, url: to },
  sessionId: 's',
})
const stopped: DevToolsEvent = {
  name: 'Page.frameStoppedLoading',
  facts: { frameId: 'main' },
  sessionId: 's',
}
const navigated = (parentId?: string): DevToolsEvent => ({
  name: 'Page.frameNavigated',
  facts: { frame: { id: parentId ? 'child' : 'main', url, ...(parentId ? { parentId } : {}) } },
  sessionId: 's',
})

/** Plays events; `ask` is a question of the browser. Answers in order. */
function play(steps: readonly (DevToolsEvent | 'ask' | 'object')[], isMinimising = true): string[] {
  const guard = new CloseGuard('main')
  const answers: string[] = []
  for (const step of steps) {
    if (step === 'ask') answers.push(guard.answer(isMinimising))
    else if (step === 'object') guard.noteObjection()
    else guard.apply(step)
  }
  return answers
}

describe('CloseGuard', () => {
  it.each([
    ['a close out of the blue', ['ask'], ['minimise']],
    ['a link of the page', [requested(), 'ask', started(), navigated()], ['let-go']],
    ['a reload by the user', [started(), 'ask', navigated()], ['let-go']],
    ['a close after a navigation', [started(), 'ask', navigated(), 'ask'], ['let-go', 'minimise']],
    ['a close while a reload waits for its server', [started(), 'ask', 'ask'], ['let-go', 'minimise']],
    [
      'a close while a link waits for its server',
      [requested(), 'ask', started(), 'ask'],
      ['let-go', 'minimise'],
    ],
    ['a second reload while the first waits', [started(), 'ask', started(), 'ask'], ['let-go', 'let-go']],
    [
      'a reload after a mailto link, which never starts',
      [requested('mailto:a@b.example'), 'ask', started(), 'ask'],
      ['let-go', 'let-go'],
    ],
    ['a close after a mailto link', [requested('mailto:a@b.example'), 'ask', 'ask'], ['let-go', 'minimise']],
    ['a close after a download', [requested(), 'ask', started(), stopped, 'ask'], ['let-go', 'minimise']],
    ['a close while a frame inside navigates', [started(url, 'child'), 'ask'], ['minimise']],
    ['a navigation while a frame inside finishes one', [started(), navigated('main'), 'ask'], ['let-go']],
  ] as const)('answers %s', (_name, steps, answers) => {
    expect(play(steps)).toEqual(answers)
  })

  it('lets the window close when it is not to be minimised', () => {
    expect(play(['ask'], false)).toEqual(['let-go'])
  })

  it('leaves the question to the user when the page objects, once', () => {
    expect(play([started(), 'object', 'ask', started(), 'ask'])).toEqual(['ask-user', 'let-go'])
    expect(play(['object', 'ask'], false)).toEqual(['ask-user'])
  })

  it('minimises without a question when the page objects to being closed: nothing is lost', () => {
    expect(play(['object', 'ask'])).toEqual(['minimise'])
  })
})
