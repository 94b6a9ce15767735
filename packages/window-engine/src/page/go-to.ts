import { setTimeout as delay } from 'node:timers/promises'
import type { DevToolsCallOptions } from '../devtools/devtools-connection.ts'
import type { PageTarget } from '../devtools/page-target.ts'

/** Longest wait for a document to take the place of the one before, once its server has answered, in milliseconds. */
const arrivalMs = 10_000

/**
 * Goes to an address, until its document is there, or the browser's own that says why not. The browser itself answers a moment
 * earlier, and a navigation that began in that moment would be lost: it asks a document that goes away.
 *
 * @returns why the address could not be opened, in the browser's words; `net::ERR_ABORTED` when it is a download, or another
 *   navigation came between
 * @throws {DevToolsCallError} when the browser refuses
 */
export async function goTo(
  page: PageTarget,
  url: string,
  options: Omit<DevToolsCallOptions, 'sessionId'>,
): Promise<string | undefined> {
  const arrivals = new Set<string>()
  let look: () => void = () => undefined
  const stop = page.connection.onEvent(event => {
    if (event.name !== 'Page.frameNavigated' || event.sessionId !== page.sessionId) return
    arrivals.add(event.facts.frame.loaderId)
    look()
  })
  const given = new AbortController()
  try {
    const { errorText, loaderId, isDownload } = await page.call('Page.navigate', { url }, options)
    if (loaderId === undefined || isDownload || errorText === aborted || arrivals.has(loaderId))
      return errorText
    await new Promise<void>(resolve => {
      look = () => {
        if (arrivals.has(loaderId)) resolve()
      }
      // Nobody waits for a document of a browser that has ended.
      delay(arrivalMs, undefined, { signal: given.signal, ref: false }).then(resolve, () => undefined)
    })
    return errorText
  } finally {
    given.abort()
    stop()
  }
}

/** What the browser calls a navigation that ended without a document. */
export const aborted = 'net::ERR_ABORTED'
