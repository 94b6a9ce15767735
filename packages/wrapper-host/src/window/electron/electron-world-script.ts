import { downStatuses } from '../chromium/host-world.ts'

/** How long a page must keep its size before that is told, in milliseconds. */
const settledMs = 300

/**
 * Source that runs first in every document, in a world of its own that the page cannot reach, and tells what `host-world.ts`
 * reads. Unlike in a browser it asks nothing before a document goes away: Electron tells by itself when its user closes a
 * window, and a page's own objections stay the page's.
 *
 * @param bindingName function by which the host is told
 */
export function electronWorldScript(bindingName: string): string {
  return `(() => {
if (window.top !== window) return
const tell = message => globalThis[${JSON.stringify(bindingName)}](JSON.stringify(message))
addEventListener('DOMContentLoaded', () => {
  const status = performance.getEntriesByType('navigation')[0]?.responseStatus
  if (${JSON.stringify(downStatuses)}.includes(status)) tell({ is: 'failed', status })
}, { capture: true, once: true })
let timer
addEventListener('resize', () => {
  clearTimeout(timer)
  timer = setTimeout(() => tell({ is: 'resized' }), ${settledMs})
}, { passive: true })
if (location.protocol === 'data:')
  addEventListener('click', event => {
    const action = event.isTrusted && event.target instanceof HTMLButtonElement && event.target.dataset.action
    if (typeof action === 'string') tell({ is: 'pressed', action })
  }, { capture: true })
})()`
}
