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
}

/** Makes sessions. */
export interface SessionMaker {
  /**
   * Signs the account in, in the browser that sent `request`.
   *
   * On https the cookie should be named `__Host-…` with `Secure; HttpOnly; SameSite=Lax; Path=/`.
   */
  create(account: Account, request: Request, context: SessionContext): Promise<SessionGrant>
}

/** Sessions of the service's browsers. */
export interface Sessions extends SessionMaker {
  /**
   * Whom the request's own cookies sign in. A cross-site POST carries no `SameSite=Lax` cookie, so `undefined` does not say
   * that nobody is signed in; the page compares with what it remembers (see `renderBootPage`).
   */
  current(request: Request): Promise<Account | undefined>
}
