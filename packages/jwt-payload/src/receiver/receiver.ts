import type { AccountLink, EndedLink } from './ports/accounts.ts'
import type { Applied } from './ports/effects.ts'

/** The service's side of the partner link. Each method is independent of `this`. */
export interface Receiver {
  /** Answers `POST {sso_url}/partner/payload`. Never rejects: what fails is a refusal. */
  readonly receive: (request: Request) => Promise<Response>
  /** Answers `GET` of a one-time URL: any path below `openUrl`. Never rejects. */
  readonly open: (request: Request) => Promise<Response>
  /**
   * Lets a held payload take effect after its log-in: links (partner, organization, employee) to the account and puts the
   * person into the contact book. The session is the log-in's. Call it only once the account's owner has confirmed, outside a
   * frame and in the session of a log-in, that this partner may sign in as the account; see the outcome `log-in`.
   *
   * @param handle from the log-in page
   * @param accountId the account that logged in
   * @throws {PendingGoneError} when the handle was used, has expired or never was, or its partner is not active any more
   * @throws {EmployeeLinkedError} when the employee has another account meanwhile
   * @throws {OrganizationBoundError} when the partner's organization is bound to another one than the account's
   * @throws {ReceiverOptionError} when there is no account of that id; the handle still works
   * @throws what a port throws
   */
  readonly completePending: (handle: string, accountId: string) => Promise<Applied>
  /**
   * The links of an account to users of partner applications, the oldest first.
   *
   * @throws what a port throws
   */
  readonly links: (accountId: string) => Promise<readonly AccountLink[]>
  /**
   * Ends a link and every session that it made: the employee's next visit asks for a log-in again.
   *
   * @param linkId from `links`
   * @param accountId the account that is signed in
   * @param requestId of the request that asks for it, for the audit log; default: a random one
   * @throws {LinkNotFoundError} when the account has no such link
   * @throws what a port throws
   */
  readonly unlink: (linkId: string, accountId: string, requestId?: string) => Promise<EndedLink>
}
