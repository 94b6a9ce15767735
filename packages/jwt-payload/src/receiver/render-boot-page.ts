import { assertParameter } from '@service-link/protocol-core'
import type { ShownPartner } from './partner-registration.ts'
import type { Account, ContactMatch } from './ports.ts'
import { ReceiverOptionError } from './receiver-errors.ts'

/** The facts for the page. The page holds them as JSON, so they are the needed ones alone. */
export type PageOutcome =
  | {
      readonly kind: 'signed-in'
      readonly requestId: string
      readonly partner: ShownPartner
      /** Whether the page stands in a frame of the partner's own page. */
      readonly isFramed: boolean
      readonly account: Account
      readonly contact: ContactMatch
      /** The account whose session in this browser was replaced. The page says so. */
      readonly replacedAccount?: { readonly id: string; readonly displayName?: string }
    }
  | {
      readonly kind: 'log-in'
      readonly requestId: string
      readonly partner: ShownPartner
      /**
       * Whether the page stands in a frame of the partner's page. It then asks for no password, but offers the log-in in
       * a window.
       */
      readonly isFramed: boolean
      /**
       * The employee whose log-in will be linked, in the partner's words. The page shows the names, or the ids if names are
       * missing, and the account's owner confirms the link after the log-in: another site may have made the browser post.
       */
      readonly employee: {
        readonly id: string
        readonly organizationId: string
        readonly organizationName?: string | undefined
        readonly username?: string | undefined
        readonly firstname?: string | undefined
        readonly lastname?: string | undefined
        readonly email?: string | undefined
      }
      /**
       * Origin of the page that posted, as the browser states it. Missing for a one-time URL, a program, or a page that
       * hides it.
       */
      readonly sentFrom?: string
      /** Goes back with the confirmation, to `completePending`; single use. */
      readonly handle: string
      /** When the handle expires, in milliseconds since 1970. */
      readonly expiresAtMs: number
    }

/** The surroundings of a page. */
export interface PageContext {
  /** For `nonce` attributes of the page's inline scripts, as in the response's Content-Security-Policy. */
  readonly nonce: string
  readonly request: Request
  /** Origins whose pages may frame this one, as in the response's `frame-ancestors`; empty: no page may. */
  readonly frameAncestors: readonly string[]
}

/**
 * Writes the page that opens the web app, as a whole HTML document. `renderBootPage` puts the outcome into an existing
 * index.html and makes the page replace its own address.
 */
export type RenderPage = (outcome: PageOutcome, context: PageContext) => string | Promise<string>

/** Id of the element with the outcome as JSON. */
const bootElementId = 'service-link-boot'

/** Key in the page's local storage: the id of the account that was last signed in here. */
const accountStorageKey = 'service-link-account'

/** Options of {@link renderBootPage}. */
export interface BootPageOptions {
  /** From {@link PageContext}. Characters that are not of base64 or base64url are left out. */
  readonly nonce: string
  /** Path of the page's new address, so that a reload is a GET. Default `/`. */
  readonly address?: string
}

/**
 * Puts an outcome into the web app's index.html. A script at the very start of the page
 *
 * - replaces the page's address (specification 4.1: a reload would repeat the POST);
 * - sets `window.serviceLinkBoot` to the outcome;
 * - compares the account with the last one in this browser, because a cross-site POST carries no cookie, and fills in
 *   `replacedAccount` if it was another one. The web app sets the item `service-link-account` of its local storage after a
 *   log-in of its own, and removes it when somebody signs out.
 *
 * @param indexHtml a whole document with a `<head>`, without relative addresses
 * @throws {ParameterError} if a parameter is of another type
 * @throws {ReceiverOptionError} if there is no `<head>`
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
    `<script nonce="${nonce.replace(/[^\w+/=-]/g, '')}">(${bootScript})(${scriptJson(address)},${scriptJson(bootElementId)},${scriptJson(accountStorageKey)})</script>`,
  ]
  return `${indexHtml.slice(0, at)}${pieces.join('')}${indexHtml.slice(at)}`
}

/** Storage may be switched off: the page opens without it. */
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
