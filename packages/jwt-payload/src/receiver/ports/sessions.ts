import type { Account } from './accounts.ts'

/** A session that was made, as the browser is to get it. */
export interface SessionGrant {
  /** Complete values of `Set-Cookie` headers. Name and attributes are the service's matter. */
  readonly setCookies: readonly string[]
}

/** Where a session is made. */
export interface SessionContext {
  /** In a frame of the partner's page: the cookie needs `SameSite=None; Secure; Partitioned`, or it is not kept. */
  readonly isFramed: boolean
  readonly partnerId: string
  /** The link by which the account signs in: `AccountLink.linkId`. To be kept with the session, for `endLinked`. */
  readonly linkId: string
}

/** Makes and ends the sessions of links. */
export interface SessionMaker {
  /**
   * Signs the account in, in the browser that sent `request`.
   *
   * On https the cookie should be named `__Host-…` with `Secure; HttpOnly; SameSite=Lax; Path=/`.
   */
  create(account: Account, request: Request, context: SessionContext): Promise<SessionGrant>
  /**
   * Ends every session that was made with this `linkId`, in windows and in frames. Asked once the link has ended. A session
   * that a post makes at the same moment must not stay.
   */
  endLinked(linkId: string): Promise<void>
}

/** Sessions of the service's browsers. */
export interface Sessions extends SessionMaker {
  /**
   * Whom the request's own cookies sign in. A cross-site POST carries no `SameSite=Lax` cookie, so `undefined` does not say
   * that nobody is signed in; the page compares with what it remembers (see `renderBootPage`).
   */
  current(request: Request): Promise<Account | undefined>
}
