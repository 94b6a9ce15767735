import { describe, expect, it } from 'vitest'
import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import { CloseGuard } from './close-question.ts'

const url = 'http://app.example/next'
const requested = (to = url, reason = 'scriptInitiated', disposition = 'currentTab'): DevToolsEvent => ({
  name: 'Page.frameRequestedNavigation',
  facts: { frameId: 'main', url: to, reason, disposition },
  sessionId: 's',
})
const started = (loaderId = '1', frameId = 'main', navigationType = 'differentDocument'): DevToolsEvent => ({
  name: 'Page.frameStartedNavigating',
  facts: { frameId, url, loaderId, navigationType },
  sessionId: 's',
})
const stopped: DevToolsEvent = {
  name: 'Page.frameStoppedLoading',
  facts: { frameId: 'main' },
  sessionId: 's',
}
const navigated = (loaderId = '1', parentId?: string): DevToolsEvent => ({
  name: 'Page.frameNavigated',
  facts: { frame: { id: parentId ? 'child' : 'main', loaderId, url, ...(parentId ? { parentId } : {}) } },
  sessionId: 's',
})
const asked: DevToolsEvent = {
  name: 'Page.javascriptDialogOpening',
  facts: { type: 'beforeunload', hasBrowserHandler: true },
  sessionId: 's',
}
const stays: DevToolsEvent = {
  name: 'Page.javascriptDialogClosed',
  facts: { result: false },
  sessionId: 's',
}

/** Plays events; `ask` is a question of the browser. Returns the answers in order. */
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
    [
      'a second reload while the first waits',
      [started('1'), 'ask', started('2'), 'ask'],
      ['let-go', 'let-go'],
    ],
    [
      'a reload after a mailto link, which never starts',
      [requested('mailto:a@b.example'), 'ask', started(), 'ask'],
      ['let-go', 'let-go'],
    ],
    ['a close after a mailto link', [requested('mailto:a@b.example'), 'ask', 'ask'], ['let-go', 'minimise']],
    ['a close after a download', [requested(), 'ask', started(), stopped, 'ask'], ['let-go', 'minimise']],
    ['a close while a frame inside navigates', [started('1', 'child'), 'ask'], ['minimise']],
    [
      'a navigation while a frame inside finishes one',
      [started(), navigated('2', 'main'), 'ask'],
      ['let-go'],
    ],
    [
      'a link that opens elsewhere, then a close',
      [requested(url, 'anchorClick', 'newTab'), 'ask'],
      ['minimise'],
    ],
    ['a move within the document, then a close', [started('1', 'main', 'sameDocument'), 'ask'], ['minimise']],
    [
      'a close after a navigation whose start is reported late',
      [requested(), 'ask', navigated('1'), started('1'), 'ask'],
      ['let-go', 'minimise'],
    ],
    [
      'a reload while the document of an older navigation arrives',
      [started('1'), 'ask', started('2'), navigated('1'), 'ask'],
      ['let-go', 'let-go'],
    ],
    ['a redirect by the page at the end of its loading', [requested(), stopped, 'ask'], ['let-go']],
    [
      'a close after a navigation that the user has taken back',
      [started(), asked, 'object', 'ask', stays, 'object', 'ask'],
      ['ask-user', 'minimise'],
    ],
  ] as const)('answers %s', (_name, steps, answers) => {
    expect(play(steps)).toEqual(answers)
  })

  it('lets the window close when closing does not minimize', () => {
    expect(play(['ask'], false)).toEqual(['close'])
  })

  it('leaves the question to the user when the page objects, once', () => {
    expect(play([started('1'), 'object', 'ask', started('2'), 'ask'])).toEqual(['ask-user', 'let-go'])
    expect(play(['object', 'ask'], false)).toEqual(['ask-user'])
  })

  it('minimizes without a question when the page objects to being closed: nothing is lost', () => {
    expect(play(['object', 'ask'])).toEqual(['minimise'])
  })

  it('knows the followed link until it has answered', () => {
    const guard = new CloseGuard('main')
    guard.apply(requested(url, 'anchorClick'))
    expect(guard.followedLink).toBe(url)
    guard.answer(false)
    expect(guard.followedLink).toBeUndefined()
    guard.apply(requested(url, 'formSubmissionPost'))
    expect(guard.followedLink).toBeUndefined()
  })

  it('knows that the document was unloaded, and waits for the next', () => {
    const guard = new CloseGuard('main')
    guard.apply(started())
    expect(guard.isLeaving).toBe(false)
    guard.answer(false)
    expect(guard.isLeaving).toBe(true)
    guard.apply(navigated())
    expect(guard.isLeaving).toBe(false)
  })
})
