import { ParameterError, ServiceLinkError } from '@service-link/protocol-core/errors'
import { escapedTokenHint, isCompactJwt, isHttpUrl, isTimeoutMs, maxTimeoutMs } from '../http/page-text.ts'
import { PostOptionError } from '../post/post-errors.ts'
import { currentWindow, openTab } from './open-tab.ts'

/** The promise of the token rejected, or gave no compact JWT. The tab was closed. */
export class SubmitTokenError extends ServiceLinkError<'ERR_SUBMIT_TOKEN'> {
  readonly code = 'ERR_SUBMIT_TOKEN'

  constructor(problem: 'rejected' | 'no token', hint = '') {
    super(`The promise of the token ${problem === 'rejected' ? problem : 'gave no compact JWT'}.${hint}`)
  }
}

/** The token did not arrive in time. The tab was closed. */
export class SubmitTimeoutError extends ServiceLinkError<'ERR_SUBMIT_TIMEOUT'> {
  readonly code = 'ERR_SUBMIT_TIMEOUT'
  /** The time-out, in milliseconds. */
  readonly waitedMs: number

  constructor(waitedMs: number) {
    super(`The token was not there within ${waitedMs} ms.`)
    this.waitedMs = waitedMs
  }
}

/** Options of {@link submitPayload}. */
export interface SubmitPayloadOptions {
  /**
   * Where the result page is displayed: `_blank`, a new window or tab ([specification 4.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md)) that cannot reach this page;
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
 * Opens the service in a new tab from a page of the partner's ([specification 4.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md)): submits a real form with the hidden field
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
  const { target, timeoutMs, signal, waitingText } = readOptions(options)
  // Avoids an unhandled rejection if this function throws before it waits.
  if (typeof token !== 'string') Promise.resolve(token).catch(() => undefined)
  assertOptions(url, token, target, timeoutMs)
  signal?.throwIfAborted()
  const tab = openTab(target, waitingText)
  // The empty tab closes with this page: nothing else submits into it.
  currentWindow().addEventListener('pagehide', tab.discard)
  try {
    tab.submit(url, typeof token === 'string' ? token : await waitForToken(token, timeoutMs, signal))
  } catch (error) {
    tab.discard()
    throw error
  } finally {
    currentWindow().removeEventListener('pagehide', tab.discard)
  }
}

/** Does not use `assertParameter`, which would make the bundle larger. */
function readOptions(options: SubmitPayloadOptions) {
  if (typeof options !== 'object' || !options) throw new ParameterError('options', 'an object')
  const { target = '_blank', timeoutMs = 30_000, signal, waitingText = '', ...unknown } = options
  const [name] = Object.keys(unknown)
  // The name comes from the caller, who may have put a token there.
  if (name) throw new ParameterError(name.length < 40 ? `options.${name}` : 'options', '', 'is not known')
  for (const [name, text] of Object.entries({ target, waitingText }))
    if (typeof text !== 'string') throw new ParameterError(`options.${name}`, 'text')
  if (signal && !signal.throwIfAborted) throw new ParameterError('options.signal', 'an AbortSignal')
  return { target, timeoutMs, signal, waitingText }
}

function assertOptions(
  url: string,
  token: string | PromiseLike<string>,
  target: string,
  timeoutMs: number,
): void {
  if (!isHttpUrl(url))
    throw new PostOptionError('url must be the absolute http or https address of the receiver.')
  if (!(isCompactJwt(token) || typeof Object(token).then === 'function'))
    throw new PostOptionError(`token must be a compact JWT, or its promise.${escapedTokenHint(token)}`)
  if (target === '' || (target.startsWith('_') && !/^_(blank|self|parent|top)$/i.test(target)))
    throw new PostOptionError(
      'target must be _blank, _self, _parent, _top, or a name without _ at its start.',
    )
  if (!isTimeoutMs(timeoutMs))
    throw new PostOptionError(`timeoutMs must be an integer from 1 to ${maxTimeoutMs}.`)
}

/** Waits for a token. Does not use `Deadline`, which would make the bundle larger. */
function waitForToken(
  token: PromiseLike<string>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      act()
    }
    const timer = setTimeout(() => settle(() => reject(new SubmitTimeoutError(timeoutMs))), timeoutMs)
    const abort = () => settle(() => reject(signal?.reason))
    signal?.addEventListener('abort', abort)
    token.then(
      text =>
        settle(() =>
          isCompactJwt(text)
            ? resolve(text)
            : reject(new SubmitTokenError('no token', escapedTokenHint(text))),
        ),
      // The reason is left out: it may hold anything, and the application has the promise.
      () => settle(() => reject(new SubmitTokenError('rejected'))),
    )
  })
}
