import { expect, test, vi } from 'vitest'
import { texts } from '../texts/en.ts'
import type { Bridge } from '../web-app/bridge.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'
import { waitForWork } from './wait-for-work.ts'

/** A window whose page gives these answers, the last one for ever. */
function windowWith(...answers: readonly boolean[]) {
  const hasUnsavedWork = vi.fn(async () => answers[hasUnsavedWork.mock.calls.length - 1] ?? answers.at(-1))
  const window = { windowState: vi.fn(async () => 'minimised'), show: vi.fn() }
  return {
    postNotice: vi.fn(),
    bridge: { hasUnsavedWork } as Partial<Bridge> as Bridge,
    window: window as Partial<HostedWindow['window']> as HostedWindow['window'],
  }
}

test('the user is told, and unsaved work is waited for', async () => {
  const hosted = windowWith(true, true, false)
  const { signal } = new AbortController()
  await waitForWork({ hosted, texts, signal, pauseMs: 1 })
  expect(hosted.bridge.hasUnsavedWork).toHaveBeenCalledTimes(3)
  expect(hosted.postNotice).toHaveBeenCalledWith({
    text: expect.stringMatching(/^A new version of .name. .* two minutes at the latest/),
    dismissLabel: 'Dismiss',
  })
  expect(hosted.window.show).toHaveBeenCalledOnce()
})

test('a hidden window without unsaved work stays hidden', async () => {
  const hosted = windowWith(false)
  await waitForWork({ hosted, texts, signal: new AbortController().signal, pauseMs: 1 })
  expect(hosted.window.show).not.toHaveBeenCalled()
})

test('the wait has an end, also while work stays unsaved', async () => {
  const hosted = windowWith(true)
  const { signal } = new AbortController()
  await waitForWork({ hosted, texts, signal, longestMs: 20, pauseMs: 1 })
  expect(hosted.bridge.hasUnsavedWork).toHaveBeenCalled()
})

test('a wrapper that closes meanwhile ends the wait', async () => {
  await waitForWork({ hosted: windowWith(true), texts, signal: AbortSignal.abort() })
})
