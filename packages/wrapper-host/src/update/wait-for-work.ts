import { Deadline, pause } from '@service-link/protocol-core/time'
import type { WrapperTexts } from '../texts/wrapper-texts.ts'
import type { HostedWindow } from '../web-app/open-web-app.ts'

interface WaitForWorkOptions {
  readonly hosted: Pick<HostedWindow, 'bridge' | 'postNotice' | 'window'>
  readonly texts: WrapperTexts
  /** Ends the wait. */
  readonly signal: AbortSignal
  /** Longest wait for unsaved work in milliseconds. Default 120,000, as the notice says. */
  readonly longestMs?: number
  /** Time to read the notice, and between two questions to the page, in milliseconds. Default 2,000. */
  readonly pauseMs?: number
}

/**
 * Tells the user that the wrapper closes for a new version, and waits while the web app has unsaved work: a page of it objects to
 * going away. A hidden or minimized window with such work is shown once. Resolves when the wrapper may close, or the time is over. Never
 * rejects.
 */
export async function waitForWork(options: WaitForWorkOptions): Promise<void> {
  const { hosted, texts, signal, longestMs = 120_000, pauseMs = 2000 } = options
  const deadline = new Deadline(longestMs, signal)
  hosted.postNotice({ text: texts.closesForUpdate, dismissLabel: texts.noticeDismiss })
  let isShown = false
  for (;;) {
    await pause(Math.min(pauseMs, deadline.leftMs), signal).catch(() => undefined)
    if (deadline.isOver || signal.aborted || !(await hosted.bridge.hasUnsavedWork())) return
    if (!isShown) await showIfMinimized(hosted).catch(() => undefined)
    isShown = true
  }
}

/** Its user cannot see the notice, nor save. */
async function showIfMinimized({ window }: Pick<HostedWindow, 'window'>): Promise<void> {
  if ((await window.windowState()) === 'minimised') await window.show()
}
