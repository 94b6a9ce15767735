import { assertParameter } from '@service-link/protocol-core/errors'
import type { ShownPartner } from '../partner-directory.ts'
import { ReceiverOptionError } from '../receiver-errors.ts'
import type { Account, ContactMatch } from '../stores/ports.ts'

/** The facts for the page. The page holds them as JSON, so they are the needed ones alone. */
export type PageOutcome = {
  readonly requestId: string
  readonly partner: ShownPartner
  /**
   * Known if the page stands in a frame of the partner's own page. A log-in page then asks for no password, but offers the log-in
   * in a window. The web app tells the page around it what it shows, by `FrameMessage` of `@service-link/protocol-core/embedding`.
   */
  readonly frame:
    | {
        /** The origins that may get messages: the partner's `frameOrigins`. Post to none but these, and never to `*`. */
        readonly origins: readonly string[]
        /** The partner's own `contact.id`, of a user who is signed in. */
        readonly contactId?: string | undefined
      }
    | undefined
} & (
  | {
      readonly kind: 'signed-in'
      /** The account that is signed in. */
      readonly account: Account
      /** The link by which the account is signed in: `employeeDigestOf` the employee. */
      readonly linkId: string
      /** The contact to show, or those to choose from. */
      readonly contact: ContactMatch
      /** The account whose session in this browser was replaced. The page says so. */
      readonly replacedAccount?:
        | { readonly id: string; readonly displayName?: string | undefined }
        | undefined
    }
  | {
      readonly kind: 'log-in'
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
      readonly sentFrom?: string | undefined
      /** Goes back with the confirmation, to `completePending`; single use. */
      readonly handle: string
      /** When the handle expires, in milliseconds since 1970. */
      readonly expiresAtMs: number
    }
)

/** The surroundings of a page. */
export interface PageContext {
  /** For `nonce` attributes of the page's inline scripts, as in the response's Content-Security-Policy: base64 or base64url. */
  readonly nonce: string
  /** The request that the page answers, with its `Accept-Language`. {@link renderBootPage} does not need it. */
  readonly request?: Request | undefined
}

/**
 * Writes the page that opens the web app, as a whole HTML document. `renderBootPage` puts the outcome into an existing
 * index.html and makes the page replace its own address.
 */
export type RenderPage = (
  outcome: PageOutcome,
  context: PageContext & { readonly request: Request },
) => string | Promise<string>

/**
 * Puts an outcome into the web app's index.html. A script at the very start of the page
 *
 * - replaces the page's address by `/` (spec 4.1: a reload would repeat the POST);
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
 * import { renderBootPage } from '@service-link/receiver'
 *
 * const renderPage = (outcome, { nonce }) => renderBootPage(indexHtml, outcome, { nonce })
 * ```
 */
export function renderBootPage(indexHtml: string, outcome: PageOutcome, context: PageContext): string {
  assertParameter('indexHtml', indexHtml, 'text')
  assertParameter('outcome', outcome, 'object')
  assertParameter('context', context, 'closed', { nonce: 'text', request: 'object?' })
  const head = /<head(?:\s[^>]*)?>/i.exec(indexHtml)
  if (!head) throw new ReceiverOptionError('The index page has no <head>.')
  const at = head.index + head[0].length
  // Other characters could end the attribute, or the element with the JSON.
  const nonce = context.nonce.replace(/[^\w+/=-]/g, '')
  const json = JSON.stringify(outcome).replace(/</g, '\\u003c')
  const pieces = [
    `<script type="application/json" id="service-link-boot">${json}</script>`,
    `<script nonce="${nonce}">(${bootScript})()</script>`,
  ]
  return `${indexHtml.slice(0, at)}${pieces.join('')}${indexHtml.slice(at)}`
}

/** Storage may be switched off: the page opens without it. */
const bootScript = `() => {
history.replaceState(null, '', '/')
const boot = JSON.parse(document.getElementById('service-link-boot').textContent)
const storageKey = 'service-link-account'
if (boot.kind === 'signed-in') {
try {
const before = localStorage.getItem(storageKey)
if (before && before !== boot.account.id && !boot.replacedAccount) boot.replacedAccount = { id: before }
localStorage.setItem(storageKey, boot.account.id)
} catch {}
}
window.serviceLinkBoot = boot
}`
