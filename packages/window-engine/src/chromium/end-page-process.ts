import { setTimeout as delay } from 'node:timers/promises'
import type { PageTarget } from '../devtools/page-target.ts'

/** Longest wait for the page's process to end when it is told to, in milliseconds. */
const crashMs = 3000

/**
 * Ends the process that draws a page which has not crashed, also when its thread hangs, or waits in a dialog.
 *
 * The browser itself has the process end; it refuses while a navigation is on its way, and one that a hung page keeps from going
 * on is taken back first. A thread that hangs outside of the page's scripts hears nothing of it: then all processes that draw
 * pages are ended by their ids, since the browser does not tell which is whose.
 */
export async function endPageProcess(page: PageTarget): Promise<void> {
  const { promise: isEnded, resolve } = Promise.withResolvers<true>()
  const stop = page.connection.onEvent(({ name, sessionId }) => {
    if (name === 'Inspector.targetCrashed' && sessionId === page.sessionId) resolve(true)
  })
  const waiting = new AbortController()
  const { signal } = waiting
  try {
    await page.call('Page.stopLoading', {}, { timeoutMs: crashMs }).catch(() => undefined)
    // It is answered only when it is refused: the page that would answer is gone.
    const refused = page.call('Page.crash', {}, { timeoutMs: crashMs, signal }).then(
      () => isEnded,
      () => false as const,
    )
    if (await Promise.race([isEnded, refused])) return
    const { processInfo } = await page.connection.call('SystemInfo.getProcessInfo')
    for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) kill(id)
    await Promise.race([isEnded, delay(crashMs, undefined, { signal }).catch(() => undefined)])
  } finally {
    waiting.abort()
    stop()
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone: what was to be reached.
  }
}
