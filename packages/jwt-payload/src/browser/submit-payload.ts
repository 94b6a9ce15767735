import { defineError, ParameterError } from '@service-link/protocol-core/errors'
import { escapedTokenHint, isCompactJwt, isHttpUrl } from '../http/page-text.ts'
import { assertTimeoutMs, PostOptionError } from '../post/post-errors.ts'
import { openTab, page } from './open-tab.ts'

/** The promise of the token rejected, or gave no compact JWT. The tab was closed. */
export class SubmitTokenError extends defineError(
  'ERR_SUBMIT_TOKEN',
  (problem: 'rejected.' | `gave no compact JWT.${string}`) => ({
    message: `The promise of the token ${problem}`,
  }),
) {}

/** The token did not arrive in time. The tab was closed. */
export class SubmitTimeoutError extends defineError('ERR_SUBMIT_TIMEOUT', (waitedMs: number) => ({
  message: `The token was not there within ${waitedMs} ms.`,
  /** The time-out, in milliseconds. */
  waitedMs,
})) {}

/** Options of {@link submitPayload}. */
export interface SubmitPayloadOptions {
  /**
   * Where the result page is displayed: `_blank`, a new window or tab (spec 4.1) that cannot reach this page;
   * the name of a window, which is opened once and used again until it closes; the name of a frame; or `_self`,
   * `_parent`, `_top`. Default `_blank`.
   */
  readonly target?: string
  /** How long the token may take, in milliseconds, 1 to 2,147,483,647. Default 30,000. */
  readonly timeoutMs?: number
  /** Ends the wait for the token; its reason is thrown. */
  readonly signal?: AbortSignal
  /** Text of the tab until the token is there. Default: none. */
  readonly waitingText?: string
}

/**
 * Opens the service in a new tab from a page of the partner's (spec 4.1): submits a real form with the hidden field
 * `payload`, and leaves neither form nor token in the page.
 *
 * Call it in the handler of a click, before any `await`: a browser opens a tab only within seconds after a click. The token may
 * come later. Give its promise: the tab opens at once, waits, and closes if there is no token.
 *
 * The page's Content-Security-Policy, where there is one, needs `form-action` with the service's origin.
 *
 * @param url address of the receiver, `{sso_url}/partner/payload`: absolute, http or https
 * @param token compact JWT that the partner's server signed for this click, or its promise
 * @returns once the form is submitted; the tab gets the service's answer
 * @throws {SubmitBlockedError} if the browser opens no tab
 * @throws {SubmitTokenError} if the promise rejects, or gives no compact JWT; the reason stays with the promise
 * @throws {SubmitTimeoutError} if the token does not arrive in time
 * @throws {SubmitClosedError} if the user closes the tab before the token is there
 * @throws {ParameterError} if an option is of another type or not known
 * @throws {PostOptionError} if `url`, `target` or `timeoutMs` is wrong
 * @throws the signal's reason, when it aborts
 * @example
 * ```ts
 * import { submitPayload } from '@service-link/jwt-payload/browser'
 *
 * button.addEventListener('click', () => {
 *   const token = fetch('/payload', { method: 'POST', body: patientId }).then(response => response.text())
 *   submitPayload('https://sso.example/partner/payload', token).catch(show)
 * })
 * ```
 */
export async function submitPayload(
  url: string,
  token: string | PromiseLike<string>,
  options: SubmitPayloadOptions = {},
): Promise<void> {
  const arriving = Promise.resolve(token)
  // Avoids an unhandled rejection if this function throws before it waits.
  arriving.catch(() => undefined)
  const { target, timeoutMs, signal, waitingText } = readOptions(url, token, options)
  signal?.throwIfAborted()
  const tab = openTab(target, waitingText)
  let timer: ReturnType<typeof setTimeout> | undefined
  let giveUp = () => {}
  // The empty tab closes with this page: nothing else submits into it.
  page.addEventListener('pagehide', tab.discard)
  try {
    // Does not use `Deadline`, which would make the bundle larger.
    const wait = (resolve: (text: string) => void, reject: (reason: unknown) => void) => {
      timer = setTimeout(() => reject(new SubmitTimeoutError(timeoutMs)), timeoutMs)
      giveUp = () => reject(signal?.reason)
      signal?.addEventListener('abort', giveUp)
      // The reason is left out: it may hold anything, and the application has the promise.
      arriving.then(resolve, () => reject(new SubmitTokenError('rejected.')))
    }
    const text = await new Promise(wait)
    if (!isCompactJwt(text)) throw new SubmitTokenError(`gave no compact JWT.${escapedTokenHint(text)}`)
    tab.submit(url, text)
  } catch (error) {
    tab.discard()
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    page.removeEventListener('pagehide', tab.discard)
  }
}

/** Does not use `assertParameter`, which would make the bundle larger. */
function readOptions(url: string, token: string | PromiseLike<string>, options: SubmitPayloadOptions) {
  if (typeof options !== 'object' || !options) throw new ParameterError('options', 'an object')
  if ('then' in options) throw new ParameterError('options', 'an object', 'is a promise: await it.')
  const { target = '_blank', timeoutMs = 30_000, signal, waitingText = '', ...unknown } = options
  const [name] = Object.keys(unknown)
  // The caller may have put a token or a person's number there.
  if (name)
    throw new ParameterError(/^[a-z]{1,39}$/i.test(name) ? `options.${name}` : 'options', '', 'is not known.')
  if (typeof target !== 'string') throw new ParameterError('options.target', 'text')
  if (typeof waitingText !== 'string') throw new ParameterError('options.waitingText', 'text')
  if (signal && !signal.throwIfAborted) throw new ParameterError('options.signal', 'an AbortSignal')
  if (!isHttpUrl(url)) throw new PostOptionError('url must be an absolute http(s) URL.')
  if (!(isCompactJwt(token) || typeof Object(token).then === 'function'))
    throw new PostOptionError(`token must be a compact JWT, or its promise.${escapedTokenHint(token)}`)
  if (!/^([^_]|_(blank|self|parent|top)$)/i.test(target))
    throw new PostOptionError('target must be _blank, _self, _parent, _top, or begin without _.')
  assertTimeoutMs(timeoutMs)
  return { target, timeoutMs, signal, waitingText }
}
