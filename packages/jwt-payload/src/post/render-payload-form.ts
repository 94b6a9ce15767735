import { assertParameter } from '@service-link/protocol-core/errors'
import { escapeHtml, isCompactJwt, isHttpUrl } from '../http/page-text.ts'
import { PostOptionError } from './post-errors.ts'

/** Options of {@link renderPayloadForm}. */
export interface PayloadFormOptions {
  /** Address of the receiver, `{sso_url}/partner/payload`: absolute, http or https. */
  readonly action: string
  /** Compact JWT from `signPayload`. Render the page right before it is shown: the token lives for a minute. */
  readonly payload: string
  /**
   * Where the result page is displayed. Default `_blank`, a new window or tab (specification 4.1): browsers open one only
   * for a form that a click caused. Use `_self` in a page that a click opened in a new tab.
   */
  readonly target?: string
  /** Nonce of the page's Content-Security-Policy, for the script. Default: none. */
  readonly nonce?: string
  /** Label of the button for browsers without scripts. Default `Continue`. */
  readonly submitLabel?: string
}

/**
 * Writes the form that a browser posts to the service (specification 4.1): a hidden field `payload`, a script that submits
 * it, and a button for browsers without scripts. Put the fragment into a page's body. Send the page with `Cache-Control:
 * no-store`. A Content-Security-Policy needs `form-action` with the service's origin.
 *
 * @returns HTML; every value is escaped
 * @throws {ParameterError} when an option is of another type
 * @throws {PostOptionError} when `action` is not an absolute http(s) URL, or `payload` not a compact JWT
 * @example
 * ```ts
 * import { renderPayloadForm } from '@service-link/jwt-payload'
 *
 * const form = renderPayloadForm({ action: 'https://sso.example/partner/payload', payload: token, target: '_self' })
 * ```
 */
export function renderPayloadForm(options: PayloadFormOptions): string {
  assertParameter('options', options, 'object', { target: 'text?', nonce: 'text?', submitLabel: 'text?' })
  const { action, payload, target = '_blank', nonce, submitLabel = 'Continue' } = options
  if (!isHttpUrl(action))
    throw new PostOptionError('action must be the absolute http or https address of the receiver.')
  if (!isCompactJwt(payload)) throw new PostOptionError('payload must be a compact JWT.')
  const nonceAttribute = nonce === undefined ? '' : ` nonce="${escapeHtml(nonce)}"`
  // The prototype's `submit` cannot be hidden by a field of that name.
  return [
    `<form method="post" action="${escapeHtml(action)}" target="${escapeHtml(target)}" accept-charset="utf-8">`,
    `<input type="hidden" name="payload" value="${escapeHtml(payload)}">`,
    `<noscript><button type="submit">${escapeHtml(submitLabel)}</button></noscript>`,
    '</form>',
    `<script${nonceAttribute}>HTMLFormElement.prototype.submit.call(document.currentScript.previousElementSibling)</script>`,
    '',
  ].join('\n')
}
