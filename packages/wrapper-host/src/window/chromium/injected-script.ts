/** What {@link injectedScript} is made of. */
export interface InjectedScriptOptions {
  /** Name of the function by which the browser passes text to the host; hidden from the page again. */
  readonly bindingName: string
  readonly allowedOrigins: readonly string[]
  /** Source of the function expression that gets `send`. */
  readonly pageScript: string
}

/** Longest text that a page may send, in UTF-16 code units. */
export const maxSentLength = 4 * 1024 * 1024

/**
 * Source that runs first in every document and frame. Takes the browser's own function away from the page, and hands it,
 * wrapped as `send`, to the page script only in the top frame of an allowed origin.
 */
export function injectedScript({ bindingName, allowedOrigins, pageScript }: InjectedScriptOptions): string {
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

/** How often the listener that sees objections goes behind those that the page has added since, in milliseconds. */
const goToEndEveryMs = 200

/**
 * Source that has the browser ask before a document goes away; the host answers (see `close-guard.ts`). Runs in a world of its
 * own, which the page cannot reach. To see whether the page's own listeners object, its listener must come after them: it goes
 * to the end when the document is there, with each thing the user does, and from time to time, because the page hears nothing
 * of a key that the browser takes for itself, such as F5.
 *
 * @param bindingName function by which the host is told that they do
 */
export function beforeUnloadScript(bindingName: string): string {
  return `(() => {
if (window.top !== window) return
const ask = event => {
  if (event.defaultPrevented || event.returnValue) globalThis[${JSON.stringify(bindingName)}]('objects')
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
})()`
}
