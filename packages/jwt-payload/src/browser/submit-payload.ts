import { assertParameter } from '@service-link/protocol-core/errors'
import { isCompactJwt, isHttpUrl, isTimeoutMs, maxTimeoutMs } from '../http/post-input.ts'
import { PostOptionError } from '../post/post-errors.ts'
import { openTab } from './open-tab.ts'
import { currentWindow } from './page-window.ts'
import { waitForToken } from './wait-for-token.ts'

/** Options of {@link submitPayload}. */
export interface SubmitPayloadOptions {
  /**
   * Where the result page is displayed: `_blank`, a new window or tab (specification 4.1), which cannot reach the page that
   * opened it; the name of a window, which is opened the first time and used again as long as it is there; the name of a
   * frame; or `_self`, `_parent`, `_top`. Default `_blank`.
   */
  readonly target?: string
  /** How long the token may take, in milliseconds, 1 to 2,147,483,647. Default 30,000. */
  readonly timeoutMs?: number
  /** Gives up while the token is waited for; the reason is thrown. */
  readonly signal?: AbortSignal
  /** What the tab says while it waits for the token. Default: nothing. */
  readonly waitingText?: string
}

/**
 * Opens the service in a new tab from a page of the partner's (specification 4.1): submits a real form with the hidden field
 * `payload`, and leaves neither form nor token in the page.
 *
 * Call it in the handler of a click, before anything is awaited there: a browser opens a tab only for something that the user
 * did just now, a few seconds at most. The token need not be there by then. Give its promise: the tab is opened at once,
 * waits, and is closed if there is no token.
 *
 * The page's Content-Security-Policy, where there is one, needs `form-action` with the service's origin.
 *
 * @param url address of the receiver, `{sso_url}/partner/payload`: absolute, http or https
 * @param token compact JWT that the partner's server signed for this click, or its promise
 * @returns once the form is submitted; what the service answers is the tab's
 * @throws {SubmitBlockedError} when the browser opens no tab
 * @throws {SubmitTokenError} when the promise rejects, or gives no compact JWT; the reason stays with the promise
 * @throws {SubmitTimeoutError} when the token is not there in time
 * @throws {SubmitClosedError} when the user closes the tab before the token is there
 * @throws {ParameterError} when an option is of another type
 * @throws {PostOptionError} when `url`, `target` or `timeoutMs` cannot be right
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
  assertParameter('options', options, 'object', { target: 'text?', waitingText: 'text?' })
  assertParameter('options.signal', options.signal, 'object?', { throwIfAborted: 'function' })
  const { target = '_blank', timeoutMs = 30_000, signal, waitingText = '' } = options
  // Whatever is thrown before it is waited for: it must not be reported as a rejection that nobody handles.
  if (typeof token !== 'string') Promise.resolve(token).catch(() => undefined)
  assertOptions(url, token, target, timeoutMs)
  signal?.throwIfAborted()
  const tab = openTab(target, waitingText)
  // With the page that would submit goes the sense of an empty tab.
  currentWindow().addEventListener('pagehide', tab.discard)
  try {
    tab.submit(url, typeof token === 'string' ? token : await waitForToken(token, { timeoutMs, signal }))
  } catch (error) {
    tab.discard()
    throw error
  } finally {
    currentWindow().removeEventListener('pagehide', tab.discard)
  }
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
    throw new PostOptionError('token must be a compact JWT, or its promise.')
  if (target === '' || (target.startsWith('_') && !/^_(blank|self|parent|top)$/i.test(target)))
    throw new PostOptionError(
      'target must be _blank, _self, _parent, _top, or a name without _ at its start.',
    )
  if (!isTimeoutMs(timeoutMs))
    throw new PostOptionError(`timeoutMs must be an integer from 1 to ${maxTimeoutMs}.`)
}
