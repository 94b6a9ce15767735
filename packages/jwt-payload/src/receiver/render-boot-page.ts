import { assertParameter } from '@service-link/protocol-core'
import { escapeHtml } from '../http/escape-html.ts'
import type { PageOutcome } from './answer-page.ts'
import { ReceiverOptionError } from './receiver-errors.ts'

/** Id of the element that holds the outcome, as JSON. */
export const bootElementId = 'service-link-boot'

/** Key in the page's local storage with the id of the account that was last signed in here. */
export const accountStorageKey = 'service-link-account'

/** Options of {@link renderBootPage}. */
export interface BootPageOptions {
  /** As the response's Content-Security-Policy has it; given to `renderPage`. */
  readonly nonce: string
  /** Path that the page takes as its own address, so that a reload is a GET. Default `/`. */
  readonly address?: string
}

/**
 * Puts an outcome into the web app's index.html. A script at the very start of the page
 *
 * - replaces the page's address (specification 4.1: the page is the answer to a POST, which a reload would repeat);
 * - sets `window.serviceLinkBoot` to the outcome;
 * - compares the account with the one that was last signed in in this browser, because no cookie came with the cross-site
 *   POST, and fills in `replacedAccount` when it was another one. The web app removes the item
 *   `service-link-account` of its local storage when somebody signs out, and sets it when somebody signs in otherwise.
 *
 * @param indexHtml a whole document with a `<head>`; its addresses must not be relative to its own
 * @throws {ParameterError} when a parameter is of another type
 * @throws {ReceiverOptionError} when there is no `<head>`
 * @example
 * ```ts
 * import { renderBootPage } from '@service-link/jwt-payload/receiver'
 *
 * const renderPage = (outcome, { nonce }) => renderBootPage(indexHtml, outcome, { nonce })
 * ```
 */
export function renderBootPage(indexHtml: string, outcome: PageOutcome, options: BootPageOptions): string {
  assertParameter('indexHtml', indexHtml, 'text')
  assertParameter('outcome', outcome, 'object')
  assertParameter('options', options, 'object', { nonce: 'text', address: 'text?' })
  const head = /<head(?:\s[^>]*)?>/i.exec(indexHtml)
  if (!head) throw new ReceiverOptionError('The index page has no <head>.')
  const at = head.index + head[0].length
  const { nonce, address = '/' } = options
  const pieces = [
    `<script type="application/json" id="${bootElementId}">${scriptJson(outcome)}</script>`,
    `<script nonce="${escapeHtml(nonce)}">(${bootScript})(${scriptJson(address)},${scriptJson(bootElementId)},${scriptJson(accountStorageKey)})</script>`,
  ]
  return `${indexHtml.slice(0, at)}${pieces.join('')}${indexHtml.slice(at)}`
}

/** Storage may be switched off; the page opens all the same. */
const bootScript = `(address, elementId, storageKey) => {
history.replaceState(null, '', address)
const boot = JSON.parse(document.getElementById(elementId).textContent)
if (boot.kind === 'signed-in') {
try {
const before = localStorage.getItem(storageKey)
if (before && before !== boot.account.id && !boot.replacedAccount) boot.replacedAccount = { id: before }
localStorage.setItem(storageKey, boot.account.id)
} catch {}
}
window.serviceLinkBoot = boot
}`

/** JSON that can stand inside a script element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}
