import { assertMeasure, defineError, ParameterError } from '@service-link/protocol-core/errors'
import { milliseconds } from '@service-link/protocol-core/time'
import { escapedTokenHint, isCompactJwt, isHttpUrl } from '../http/page-text.ts'
import { PostOptionError } from '../post/post-errors.ts'

/** The browser opened no tab: no click caused the call, or a blocker is at work. */
export class SubmitBlockedError extends defineError(
  'ERR_SUBMIT_BLOCKED',
  'The browser opened no tab. Call submitPayload in a click handler, before any await, with the promise of the token.',
) {}

/** The user closed the tab before the token was there. Nothing was posted. */
export class SubmitClosedError extends defineError(
  'ERR_SUBMIT_CLOSED',
  'The tab was closed before the token was there.',
) {}

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
  readonly target?: string | undefined
  /** How long the token may take, in milliseconds, 1 to 2,147,483,647. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Ends the wait for the token; its reason is thrown. */
  readonly signal?: AbortSignal | undefined
  /** Text of the tab until the token is there. Default: none. */
  readonly waitingText?: string | undefined
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
 * @throws {PostOptionError} if `url` or `target` is wrong
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
  assertMeasure('options.timeoutMs', timeoutMs, milliseconds)
  return { target, timeoutMs, signal, waitingText }
}

/** The tab or frame of the result page. */
interface Tab {
  /** @throws {SubmitClosedError} if the user has closed it */
  submit(url: string, token: string): void
  /** Closes it, if it is still empty. */
  discard(): void
}

/**
 * Opens the tab at once: a browser opens one only within seconds after a click. The tab is empty and belongs to this page until
 * the form is submitted in it. That form needs no window name, so a nameless tab can be cut off from its opener first.
 */
function openTab(target: string, waitingText: string): Tab {
  const opened = /^_(self|parent|top)$/i.test(target) ? undefined : page.open('', target)
  if (opened === null) throw new SubmitBlockedError()
  // Only its name reaches a window that was open before. Its page stays.
  const empty = isEmpty(opened) ? opened : undefined
  if (empty) {
    // The browser finds a window by its name only as long as it has its opener.
    if (/^_blank$/i.test(target)) empty.opener = null
    if (waitingText) empty.document.title = empty.document.body.textContent = waitingText
  }
  return {
    submit: (url, token) => {
      // A submit by name would open another tab, which the browser blocks silently.
      if (opened?.closed) throw new SubmitClosedError()
      submitForm((empty ?? page).document, url, token, empty ? '_self' : target)
    },
    discard: () => {
      if (isEmpty(empty)) empty?.close()
    },
  }
}

/** The address of another site's window cannot be read. */
function isEmpty(opened: PageWindow | undefined): boolean {
  try {
    return opened?.location.href === 'about:blank'
  } catch {
    return false
  }
}

/**
 * Submits a real form with the hidden field `payload` (spec 4.1). Afterwards the form and the token leave the
 * document again: the browser has read them.
 */
function submitForm(document: PageDocument, url: string, token: string, target: string): void {
  const form = Object.assign(document.createElement('form'), { method: 'post', action: url, target })
  form.append(
    Object.assign(document.createElement('input'), { type: 'hidden', name: 'payload', value: token }),
  )
  document.body.append(form)
  form.submit()
  form.remove()
}

/** The used part of a window. It is written out because an importer may have no DOM types. */
interface PageWindow {
  readonly document: PageDocument
  readonly location: { readonly href: string }
  readonly closed: boolean
  opener: unknown
  open(url: string, target: string): PageWindow | null
  close(): void
  addEventListener(type: 'pagehide', listener: () => void): void
  removeEventListener(type: 'pagehide', listener: () => void): void
}

interface PageDocument {
  title: string
  readonly body: PageElement
  createElement(name: 'form' | 'input'): PageElement
}

interface PageElement {
  textContent: string | null
  append(child: PageElement): void
  remove(): void
  submit(): void
}

/** The window of the page that runs this script. */
const page = globalThis as unknown as PageWindow
