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
