import { findNearName } from '@service-link/protocol-core/errors'
import { assertOptions, escapeHtml, isCompactJwt, isPlainHost, noToken } from '../http/page-text.ts'
import { assertPostAddress, PostOptionError } from './post-errors.ts'

/** Options of {@link renderPayloadForm}. */
export interface PayloadFormOptions {
  /** Address of the receiver, `{sso_url}/partner/payload`: absolute, http or https. */
  readonly action: string
  /** Compact JWT from `signPayload`. Render the page right before it is shown: the token lives for a minute. */
  readonly payload: string
  /**
   * Where the result page is displayed. Default `_blank`, a new window or tab (spec 4.1): browsers open one only
   * for a form that a click caused. Use `_self` in a page that a click opened in a new tab.
   */
  readonly target?: string | undefined
  /** Nonce of the page's Content-Security-Policy, for the script. Default: none; a strict policy then stops the script. */
  readonly nonce?: string | undefined
  /** Label of the button. Default `Open ` and the receiver's host. */
  readonly submitLabel?: string | undefined
}

/**
 * Writes the form that a browser posts to the service (spec 4.1): a hidden field `payload`, a button, and a script that
 * submits the form and hides it. The button stays where no script runs, also by a Content-Security-Policy, and where the browser opens
 * no tab. If the policy blocks the form, the page says what it needs. Put the fragment into a page's body. Send the page with
 * `Cache-Control: no-store`, and with {@link payloadFormPolicy} where pages have a policy.
 *
 * @returns HTML; every value is escaped
 * @throws {ParameterError} when an option is of another type, or not known
 * @throws {PostOptionError} when `action` is not an absolute http(s) URL or carries a user name or password, or `payload` not a compact JWT
 * @example
 * ```ts
 * import { renderPayloadForm } from '@service-link/jwt-payload'
 *
 * const form = renderPayloadForm({ action: 'https://sso.example/partner/payload', payload: token, target: '_self' })
 * ```
 */
export function renderPayloadForm(options: PayloadFormOptions): string {
  assertOptions(options, ['target', 'nonce', 'submitLabel'], ['action', 'payload'], nameHint)
  const { action, payload, target = '_blank', nonce, submitLabel } = options
  assertPostAddress('action', action)
  if (!isCompactJwt(payload)) throw new PostOptionError(`payload is ${noToken(payload)}`)
  const nonceAttribute = nonce === undefined ? '' : ` nonce="${escapeHtml(nonce)}"`
  const label = submitLabel ?? `Open ${new URL(action).host}`
  return `<form method="post" action="${escapeHtml(action)}" target="${escapeHtml(target)}">
<input type="hidden" name="payload" value="${escapeHtml(payload)}">
<button>${escapeHtml(label)}</button>
</form>
<script${nonceAttribute}>${script}</script>
`
}

function nameHint(name: string, known: readonly string[]): string {
  const near = findNearName(name, known)
  return near ? ` Did you mean ${near}?` : ` Known: ${known.join(', ')}.`
}

/**
 * Hides the form, so that nobody posts the token twice. In a page that stays, it is hidden when the new tab is in front: a browser may
 * open none without a click. The prototype's `submit` cannot be covered by a field of that name.
 */
const script = `{let f=document.currentScript.previousElementSibling
f.hidden=f.target=='_self'
addEventListener('blur',()=>{f.hidden=true})
document.addEventListener('securitypolicyviolation',e=>{if(e.effectiveDirective=='form-action'&&e.disposition=='enforce'){f.hidden=false
f.textContent="The page's Content-Security-Policy blocked the form or its redirect. It needs form-action 'self' "+new URL(f.action).origin}})
HTMLFormElement.prototype.submit.call(f)}`

/**
 * Writes the Content-Security-Policy of a page that holds the form and nothing else. It replaces the site's policy on that page:
 * a second header would only forbid more. `form-action` alone must also be in the policy of a page that calls `submitPayload`.
 *
 * @param options `action` and `nonce` as {@link renderPayloadForm} gets them. Without `nonce` the user presses the button
 * @returns the header's value
 * @throws {ParameterError} when an option is of another type, or not known
 * @throws {PostOptionError} when `action` is not an absolute http(s) URL or carries a user name or password, or `nonce` not base64
 * @example
 * ```ts
 * import { payloadFormPolicy } from '@service-link/jwt-payload'
 *
 * response.setHeader('content-security-policy', payloadFormPolicy({ action: 'https://sso.example/partner/payload', nonce }))
 * ```
 */
export function payloadFormPolicy(options: Pick<PayloadFormOptions, 'action' | 'nonce'>): string {
  assertOptions(options, ['nonce'], ['action'], nameHint)
  const { action, nonce } = options
  assertPostAddress('action', action)
  if (!isPlainHost(new URL(action))) throw new PostOptionError('action must have the name of one host.')
  if (nonce !== undefined && !/^[\w+/=-]+$/.test(nonce))
    throw new PostOptionError('nonce must be base64 or base64url.')
  const { origin } = new URL(action)
  const script = nonce === undefined ? '' : `; script-src 'nonce-${nonce}'`
  return `default-src 'none'${script}; form-action ${origin}; base-uri 'none'; frame-ancestors 'none'`
}
