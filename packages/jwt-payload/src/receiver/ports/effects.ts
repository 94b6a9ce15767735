import type { Account, AccountLink, EndedLink } from './accounts.ts'
import type { ContactMatch } from './contacts.ts'
import type { Delivery, Hold } from './delivery.ts'
import type { ReplayClaim } from './replay.ts'
import type { SessionGrant } from './sessions.ts'

/**
 * Says where the delivery waits if its employee must log in first. Each call of one request gives the same place; most
 * requests need none.
 */
export type MakeHold = () => Promise<Hold>

/** Whether the partner is registered and active now: it may be neither any more when a delivery has waited. */
export type IsActivePartner = (partnerId: string) => Promise<boolean>

/** Input of {@link DeliveryEffects.accept}. */
export interface AcceptInput {
  readonly delivery: Delivery
  readonly replay: ReplayClaim
  readonly logIn: MakeHold
  readonly now: Date
  readonly request: Request
}

/** Input of {@link DeliveryEffects.defer}. */
export interface DeferInput {
  readonly delivery: Delivery
  readonly replay: ReplayClaim
  /** Where the delivery waits for its one-time URL. */
  readonly open: Hold
  readonly now: Date
}

/** Input of {@link DeliveryEffects.resume}. */
export interface ResumeInput {
  /** Of the one-time URL's handle. */
  readonly handleDigest: string
  readonly isActive: IsActivePartner
  readonly logIn: MakeHold
  readonly now: Date
  readonly request: Request
}

/** Input of {@link DeliveryEffects.complete}. */
export interface CompleteInput {
  /** Of the handle that the log-in page carried. */
  readonly handleDigest: string
  readonly isActive: IsActivePartner
  /** The account that logged in. */
  readonly accountId: string
  readonly now: Date
}

/** Input of {@link DeliveryEffects.unlink}. */
export interface UnlinkInput {
  readonly linkId: string
  /** The account that the link must belong to. */
  readonly accountId: string
  readonly requestId: string
  readonly now: Date
}

/** The employee is known: the person is in the contact book. */
export interface Applied {
  readonly kind: 'applied'
  readonly delivery: Delivery
  readonly account: Account
  readonly contact: ContactMatch
  /** Present when the session was made in the transaction. */
  readonly session?: SessionGrant
}

/** The employee is not known: the delivery is held for the log-in. */
export interface HeldForLogIn {
  readonly kind: 'log-in'
  readonly delivery: Delivery
}

/** The link has ended. */
export interface Unlinked {
  readonly kind: 'unlinked'
  readonly link: EndedLink
  /** Whether its sessions ended in the transaction; else the receiver's `sessions` ends them afterwards. */
  readonly hasEndedSessions: boolean
}

/** Everything that a verified payload does, and what becomes of links. Each method is one transaction, with its audit entry. */
export interface DeliveryEffects {
  /**
   * Takes the replay key; then, for a known employee, puts the person into the contact book (and makes the session, where
   * it can), or holds the delivery for the log-in.
   */
  accept(input: AcceptInput): Promise<Applied | HeldForLogIn | { readonly kind: 'replayed' }>
  /** Takes the replay key and holds the delivery until its one-time URL is opened. */
  defer(input: DeferInput): Promise<{ readonly kind: 'deferred' } | { readonly kind: 'replayed' }>
  /**
   * Takes the delivery of a one-time URL and goes on as `accept` does. `gone`: there is none, or its partner is not active
   * any more; the handle is spent.
   */
  resume(input: ResumeInput): Promise<Applied | HeldForLogIn | { readonly kind: 'gone' }>
  /**
   * After the log-in: takes the held delivery, links its employee to the account and puts the person into the contact
   * book. `gone`: there is none, or its partner is not active any more; `linked-elsewhere`: the employee has another account
   * meanwhile; `organization-bound`: the partner's organization is another one's of the service. In each case nothing takes
   * effect and the handle is spent.
   *
   * @throws {ReceiverOptionError} when there is no account of `accountId`; nothing takes effect and the handle is kept
   */
  complete(
    input: CompleteInput,
  ): Promise<Applied | { readonly kind: 'gone' | 'linked-elsewhere' | 'organization-bound' }>
  /** The links of an account, the oldest first. */
  links(accountId: string): Promise<readonly AccountLink[]>
  /** Ends a link, and the sessions that it made, where it can. `gone`: the account has no such link. */
  unlink(input: UnlinkInput): Promise<Unlinked | { readonly kind: 'gone' }>
}
