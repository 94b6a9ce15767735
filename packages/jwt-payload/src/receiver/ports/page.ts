import type { Account } from './accounts.ts'
import type { ContactMatch } from './contacts.ts'
import type { ShownPartner } from './partners.ts'

/** What the page is to show. Goes into the page as JSON: holds what the page needs and nothing else. */
export type PageOutcome =
  | {
      readonly kind: 'signed-in'
      readonly requestId: string
      readonly partner: ShownPartner
      /** Whether the page stands in a frame of the partner's own page. */
      readonly isFramed: boolean
      readonly account: Account
      readonly contact: ContactMatch
      /** Another account that was signed in in this browser and is not any more. The page says so. */
      readonly replacedAccount?: { readonly id: string; readonly displayName?: string }
    }
  | {
      readonly kind: 'log-in'
      readonly requestId: string
      readonly partner: ShownPartner
      /** Whether the page stands in a frame of the partner's own page. It then asks for no password, but offers the log-in in a window of its own. */
      readonly isFramed: boolean
      /**
       * Whose log-in is going to be linked, in the partner's words. The page shows it, by its ids where names are missing,
       * and has the account's owner confirm the link after the log-in: another site may have made the browser post.
       */
      readonly employee: {
        readonly id: string
        readonly organizationId: string
        readonly organizationName?: string
        readonly username?: string
        readonly firstname?: string
        readonly lastname?: string
        readonly email?: string
      }
      /** Origin of the page that posted, as the browser states it. Missing for a one-time URL, a program, or a page that hides it. */
      readonly sentFrom?: string
      /** To be sent back with the confirmation and given to `completePending`; single use. */
      readonly handle: string
      /** When the handle ends, in milliseconds since 1970. */
      readonly expiresAtMs: number
    }

/** What a page needs besides its outcome. */
export interface PageContext {
  /** For `nonce` attributes of the page's inline scripts, as the response's Content-Security-Policy has it. */
  readonly nonce: string
  readonly request: Request
  /** Origins whose pages may frame this one, as the response's `frame-ancestors` has them; none: nobody may. */
  readonly frameAncestors: readonly string[]
}

/**
 * Writes the page that opens the web app, as a whole HTML document. `renderBootPage` puts the outcome into an existing
 * index.html and makes the page replace its own address.
 */
export type RenderPage = (outcome: PageOutcome, context: PageContext) => string | Promise<string>
