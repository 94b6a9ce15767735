import * as z from 'zod/mini'
import type { PageTarget } from '../devtools/devtools-connection.ts'
import type { OpenWindowOptions } from '../engine.ts'

/** A message of the host's world: a script context in the page that the page cannot reach. */
type HostWorldMessage = z.output<typeof messageSchema>

const messageSchema = z.discriminatedUnion('is', [
  /** The page's own handlers object to going away. */
  z.object({ is: z.literal('objection') }),
  /** The server could not serve the document. */
  z.object({ is: z.literal('failed'), status: z.int() }),
  /** The window, or the page's zoom, is of another size. */
  z.object({ is: z.literal('resized') }),
  /** A button of the wrapper's own page. */
  z.object({ is: z.literal('pressed'), action: z.string() }),
  z.object({ is: z.literal('notice'), action: z.enum(['follow', 'dismiss']) }),
])

/** Reads a message of the host's world; `undefined` for anything else. */
export function readHostWorldMessage(payload: string): HostWorldMessage | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(payload)).data
  } catch {
    return undefined
  }
}

/** Answers of a proxy whose service is down. */
export const downStatuses: readonly number[] = [502, 503, 504]

/** Pause until the asking listener is moved to the end again, behind the page's own ones, in milliseconds. */
const goToEndEveryMs = 200
/** A new size is reported once it has lasted this long, in milliseconds. */
const settledMs = 300

/**
 * Source that runs first in every document, in the host's world.
 *
 * @param bindingName name of the function that sends to the host
 */
export function hostWorldScript(bindingName: string): string {
  return `(() => {
if (window.top !== window) return
const tell = message => globalThis[${JSON.stringify(bindingName)}](JSON.stringify(message))
${askScript}addEventListener('DOMContentLoaded', () => {
  const status = performance.getEntriesByType('navigation')[0]?.responseStatus
  if (${JSON.stringify(downStatuses)}.includes(status)) tell({ is: 'failed', status })
}, { capture: true, once: true })
let timer
addEventListener('resize', () => {
  clearTimeout(timer)
  timer = setTimeout(() => tell({ is: 'resized' }), ${settledMs})
}, { passive: true })
})()`
}

/**
 * Makes the browser ask. The listener must run after the page's listeners to see whether they object. So it moves to the end after
 * the load, at each action of the user, and at intervals: F5 causes no event. A second listener never moves: without any listener
 * the browser closes a document unasked.
 */
const askScript = `addEventListener('beforeunload', () => undefined)
const ask = event => {
  // The host's own question whether the page has unsaved work.
  if (!event.isTrusted) return
  if (event.defaultPrevented || event.returnValue) tell({ is: 'objection' })
  event.preventDefault()
}
const goToEnd = () => {
  removeEventListener('beforeunload', ask)
  addEventListener('beforeunload', ask)
}
goToEnd()
for (const name of ['DOMContentLoaded', 'load', 'pointerdown', 'keydown', 'focusin'])
  addEventListener(name, goToEnd, { capture: true, passive: true })
setInterval(goToEnd, ${goToEndEveryMs})
`

/** Longest text that a page may send, in UTF-16 code units. */
const maxSentLength = 4 * 1024 * 1024

/**
 * Source that runs first in every document and frame. It hides the browser's function from the page. Only in the top frame of
 * an allowed origin it passes that function, wrapped as `send`, to the page script.
 */
function injectedScript({ bindingName, allowedOrigins, pageScript }: PreparePageOptions): string {
  return `(() => {
const pass = globalThis[${JSON.stringify(bindingName)}]
delete globalThis[${JSON.stringify(bindingName)}]
if (window.top !== window || !${JSON.stringify(allowedOrigins)}.includes(location.origin)) return
const write = JSON.stringify
const send = value => {
  const text = write(value)
  if (typeof text !== 'string') throw new TypeError('Only JSON values can be sent to the host.')
  if (text.length > ${maxSentLength}) throw new RangeError('The value is too long to be sent to the host.')
  pass(text)
}
;(${pageScript})(send)
})()`
}

interface PreparePageOptions extends Pick<OpenWindowOptions, 'pageScript' | 'allowedOrigins'> {
  /** Name of the function by which the page script sends. */
  readonly bindingName: string
  /** Longest wait for each answer, in milliseconds. */
  readonly timeoutMs: number
}

/** Name of the host's world, and of its function that sends to the host. */
export function hostWorldName(bindingName: string): string {
  return `${bindingName}_world`
}

/** Installs in a page, for every document to come, all that the window needs. */
export async function preparePage(page: PageTarget, options: PreparePageOptions): Promise<void> {
  const { bindingName, timeoutMs } = options
  const bounds = { timeoutMs }
  const worldName = hostWorldName(bindingName)
  const worldSource = hostWorldScript(worldName)
  const addScript = (script: { readonly source: string; readonly worldName?: string }) =>
    page.call('Page.addScriptToEvaluateOnNewDocument', script, bounds)
  await Promise.all([
    page.call('Page.enable', {}, bounds),
    page.call('Runtime.enable', {}, bounds),
    // An activated prerendered page is another target: the window would seem to be gone.
    page.call('Page.setPrerenderingAllowed', { isAllowed: false }, bounds).catch(() => undefined),
    page.call('Runtime.addBinding', { name: bindingName }, bounds),
    addScript({ source: injectedScript(options) }),
    addScript({ source: worldSource, worldName }),
    page.call('Runtime.addBinding', { name: worldName, executionContextName: worldName }, bounds),
  ])
}
