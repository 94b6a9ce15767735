import { defineError } from '@service-link/protocol-core/errors'
import { assertOptions, isCompactJwt, noToken } from '../http/page-text.ts'
import { assertPostAddress, PostOptionError } from '../post/post-errors.ts'
import { readTimeout } from './page-options.ts'

/**
 * The browser opened no tab: no click caused the call, or a blocker or a sandbox is at work.
 *
 * @remedy Call `submitPayload` in a click handler, before any `await`. Let the user allow pop-ups; a sandbox needs
 * `allow-popups`.
 * @retry by the user
 * @seenBy partner's developer, user
 */
export class SubmitBlockedError extends defineError(
  'ERR_SUBMIT_BLOCKED',
  "The browser opened no tab. Call submitPayload in a click handler, before any await, with the token's promise. A sandbox needs allow-popups.",
) {}

/**
 * The page's Content-Security-Policy blocked the form or a redirect of it, or its sandbox did. The tab was closed.
 *
 * @remedy Add `directive` to the policy of your page.
 * @retry no
 * @seenBy partner's developer
 */
export class SubmitPolicyError extends defineError(
  'ERR_SUBMIT_POLICY',
  (policy: 'Content-Security-Policy' | 'sandbox', directive: string) => ({
    message: `The page's ${policy} blocked the form or its redirect. It needs ${directive}`,
    /** What the policy needs, such as `form-action 'self' https://sso.example`. */
    directive,
  }),
) {}

/**
 * The user closed the tab before the token was there. Nothing was posted.
 *
 * @remedy Do nothing: the user has closed the tab.
 * @retry by the user
 * @seenBy partner's developer
 */
export class SubmitClosedError extends defineError(
  'ERR_SUBMIT_CLOSED',
  'The tab was closed before the token was there.',
) {}

/**
 * The promise of the token rejected, or gave no compact JWT. The tab was closed.
 *
 * @remedy Look why your server gave no token: the promise must resolve with a compact JWT.
 * @retry if the promise may resolve then
 * @seenBy partner's developer
 */
export class SubmitTokenError extends defineError(
  'ERR_SUBMIT_TOKEN',
  (problem: 'rejected.' | `gave ${string}`) => ({
    message: `The promise of the token ${problem}`,
  }),
) {}

/**
 * The token, or the service's answer, did not arrive in time. The tab was closed.
 *
 * @remedy Make your server sign faster, or look whether the service can be reached.
 * @retry by the user
 * @seenBy partner's developer
 */
export class SubmitTimeoutError extends defineError('ERR_SUBMIT_TIMEOUT', (waitedMs: number) => ({
  message: `No token or answer within ${waitedMs} ms.`,
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
  /** How long token and answer may take together, in milliseconds, 1 to 2,147,483,647. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Ends the wait for token and answer; its reason is thrown. */
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
 * The page's Content-Security-Policy, where there is one, needs `form-action` with the service's origin, and `frame-src` for a frame.
 * A sandbox needs `allow-forms allow-popups allow-popups-to-escape-sandbox`, for `_top` and `_parent` `allow-top-navigation`.
 *
 * @param url address of the receiver, `{sso_url}/partner/payload`: absolute, http or https
 * @param token compact JWT that the partner's server signed for this click, or its promise
 * @returns once the tab has left for the service's answer; for the page itself, or a window that shows a page, a second after the post
 * @throws {SubmitBlockedError} if the browser opens no tab
 * @throws {SubmitTokenError} if the promise rejects, or gives no compact JWT; the reason stays with the promise
 * @throws {SubmitPolicyError} if the page's Content-Security-Policy or sandbox blocks the form, or a redirect of it
 * @throws {SubmitTimeoutError} if token or answer do not arrive in time
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
  // The reason of a rejection is left out: it may hold anything, and the application has the promise.
  const arriving = Promise.resolve(token).then(
    text => ({ text }),
    () => undefined,
  )
  const { target, timeoutMs } = readOptions(url, token, options)
  const { signal, waitingText } = options
  signal?.throwIfAborted()
  const { opened, empty } = openTab(target, waitingText)
  const discard = () => {
    if (isEmpty(empty)) empty.close()
  }
  let isPosted = false
  const ended = new AbortController()
  const until = { signal: ended.signal }
  // The empty tab closes with this page: nothing else submits into it.
  page.addEventListener('pagehide', () => isPosted || discard(), until)
  // Does not use `Deadline`, which would make the bundle larger.
  let fail: (reason: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  const timer = setTimeout(() => fail(new SubmitTimeoutError(timeoutMs)), timeoutMs)
  signal?.addEventListener('abort', () => fail(signal.reason), until)
  try {
    const arrived = await Promise.race([failed, arriving])
    if (!arrived) throw new SubmitTokenError('rejected.')
    const { text } = arrived
    if (!isCompactJwt(text)) throw new SubmitTokenError(`gave ${noToken(text)}`)
    // A submit by name would open another tab, which the browser blocks silently.
    if (opened?.closed) throw new SubmitClosedError()
    if (!opened) assertReached(target)
    watchPolicies([page, empty ?? page], url, fail, until)
    submitForm(empty, target, url, text)
    isPosted = true
    // An event of the tab's first document would not tell in every browser.
    do await Promise.race([failed, new Promise(resolve => setTimeout(resolve, lookAgainMs))])
    while (isEmpty(empty))
  } catch (error) {
    discard()
    throw error
  } finally {
    clearTimeout(timer)
    ended.abort()
  }
}

/** Between two looks whether the tab has left. Browsers let a page behind a new tab look no more often. */
const lookAgainMs = 1000

function readOptions(url: string, token: string | PromiseLike<string>, options: SubmitPayloadOptions) {
  assertOptions(options, ['target', 'waitingText'], ['timeoutMs', 'signal'])
  const { target = '_blank' } = options
  const timeoutMs = readTimeout(options)
  assertPostAddress('url', url)
  if (!isCompactJwt(token) && typeof Object(token).then !== 'function')
    throw new PostOptionError(`token is ${noToken(token)}`)
  if (!/^([^_]|_(blank|self|parent|top)$)/i.test(target))
    throw new PostOptionError('target must be _blank, _self, _parent, _top, or begin without _.')
  const frame = page.document?.getElementById(target)
  if (frame?.contentWindow && frame.name !== target)
    throw new PostOptionError('target is the id of a frame. Give its name.')
  return { target: target.startsWith('_') ? target.toLowerCase() : target, timeoutMs }
}

/**
 * Opens the tab or frame of the result page at once: a browser opens one only within seconds after a click. The tab is empty and
 * belongs to this page until the form is submitted in it. That form needs no window name, so a nameless tab can be cut off from
 * its opener then.
 */
function openTab(target: string, waitingText: string | undefined) {
  const opened = ['_self', '_parent', '_top'].includes(target) ? undefined : page.open('', target)
  if (opened === null) throw new SubmitBlockedError()
  // Only its name reaches a window that was open before. Its page stays.
  const empty = isEmpty(opened) ? opened : undefined
  if (target === '_blank' && !empty) {
    opened?.close()
    throw new SubmitPolicyError('sandbox', 'allow-popups-to-escape-sandbox')
  }
  if (empty && waitingText) empty.document.title = empty.document.body.textContent = waitingText
  return { opened, empty }
}

/** The sandbox of a frame drops a form for a window above it silently. Asked for that window, a browser gives none, or a new one. */
function assertReached(target: string): void {
  const above = page.open('', target)
  if (above?.top === page.top) return
  above?.close()
  throw new SubmitPolicyError('sandbox', 'allow-top-navigation')
}

/** The address of another site's window cannot be read. */
function isEmpty(opened: PageWindow | undefined): opened is PageWindow {
  try {
    return opened?.location.href === 'about:blank' && !opened.closed
  } catch {
    return false
  }
}

/** Fails when a policy blocks the post. A page is also told of its frames. */
function watchPolicies(
  windows: readonly PageWindow[],
  url: string,
  fail: (reason: SubmitPolicyError) => void,
  until: Until,
): void {
  const { origin } = new URL(url)
  const onViolation = ({ effectiveDirective, disposition, blockedURI }: PolicyEvent) => {
    // Another frame of the page may be blocked at the same time.
    const isOurs =
      effectiveDirective === 'form-action' ||
      (effectiveDirective === 'frame-src' && blockedURI.startsWith(origin))
    if (isOurs && disposition === 'enforce')
      fail(new SubmitPolicyError('Content-Security-Policy', `${effectiveDirective} 'self' ${origin}`))
  }
  for (const { document } of windows) document.addEventListener('securitypolicyviolation', onViolation, until)
}

/**
 * Submits a real form with the hidden field `payload` (spec 4.1). Afterwards the form and the token leave the
 * document again: the browser has read them.
 *
 * @throws {SubmitPolicyError} if the sandbox of the page would drop the form silently
 */
function submitForm(empty: PageWindow | undefined, target: string, url: string, token: string): void {
  const { document } = empty ?? page
  const given = { method: 'post', action: url, target: empty ? '_self' : target }
  const form = Object.assign(document.createElement('form'), given)
  const field = Object.assign(document.createElement('input'), { name: 'payload', required: true })
  form.append(field)
  document.body.append(form)
  // A sandbox without forms drops them silently, before it asks whether the field has its value.
  let isAllowed = false
  field.oninvalid = () => {
    isAllowed = true
    return false
  }
  form.requestSubmit()
  Object.assign(field, { type: 'hidden', value: token })
  if (isAllowed) {
    // Not earlier: in a sandbox nobody but its opener closes a tab. Not of a named window: the browser finds it by its opener.
    if (empty && target === '_blank') empty.opener = null
    form.submit()
  }
  form.remove()
  if (!isAllowed) throw new SubmitPolicyError('sandbox', 'allow-forms')
}

/** The used part of a window. It is written out because an importer may have no DOM types. */
interface PageWindow {
  readonly document: PageDocument
  readonly location: { readonly href: string }
  readonly closed: boolean
  readonly top: unknown
  opener: unknown
  open(url: string, target: string): PageWindow | null
  close(): void
  addEventListener(type: 'pagehide', listener: () => unknown, until: Until): void
}

/** Removes a listener. */
interface Until {
  readonly signal: AbortSignal
}

interface PageDocument {
  title: string
  readonly body: PageElement
  createElement(name: 'form' | 'input'): PageElement
  getElementById(id: string): { readonly name: string; readonly contentWindow?: unknown } | null
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (event: PolicyEvent) => void,
    until: Until,
  ): void
}

interface PageElement {
  textContent: string | null
  oninvalid: () => boolean
  append(child: PageElement): void
  remove(): void
  submit(): void
  requestSubmit(): void
}

interface PolicyEvent {
  readonly effectiveDirective: string
  readonly blockedURI: string
  /** `report` if the policy blocks nothing. */
  readonly disposition: 'enforce' | 'report'
}

/** The window of the page that runs this script. */
const page = globalThis as unknown as PageWindow
