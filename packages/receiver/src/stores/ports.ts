import type { RefusalCode } from '@service-link/jwt-payload'
import type { PayloadClaims, Person } from '@service-link/protocol-core/person'
import type { DeliveryPartner } from '../partner-directory.ts'
import type { PersonTrait } from './same-person.ts'

// The stores that a service implements. `./testing` has each of them in memory, and the contract for any implementation.
// A database implements `ReceiverStores` over one transaction.

/** An organization of a partner. Two partners may use one id for different organizations. */
export interface OrganizationKey {
  readonly partnerId: string
  readonly organizationId: string
}

/** The employee who is logged in to the partner's application. These three ids identify; all else is for display. */
export interface EmployeeKey extends OrganizationKey {
  readonly employeeId: string
}

/** One verified payload, a plain JSON value that a store may keep as text. It is personal data: delete it when it expires. */
export interface Delivery {
  /** Id of the request that brought it; for logs. */
  readonly requestId: string
  readonly partner: DeliveryPartner
  readonly employee: EmployeeKey
  readonly person: Person
  readonly payload: PayloadClaims
}

/** An account of the service. */
export interface Account {
  readonly id: string
  /** A name or an e-mail address, for people. */
  readonly displayName: string
  /** The service's own organization of the account. The stores in memory keep contacts and links of organizations apart by it. */
  readonly organizationId?: string | undefined
  /**
   * Id of the partner's last end for the employee by whom the account was found. A page that was opened under another one shows the
   * person no more.
   */
  readonly lastEnd?: string | undefined
}

/** Which account an employee of a partner's organization uses. */
export interface AccountLinks {
  /** Finds the account; `undefined` for an employee who has not logged in yet (spec 5.1). */
  find(employee: EmployeeKey): Promise<Account | undefined>
  /**
   * Links the employee to an account, unless it is linked already. The first link of a partner's organization binds it to the
   * account's organization in the service, also after that link has ended.
   *
   * @returns the account that the employee is linked to afterwards; `undefined` if there is no account of that id;
   * `other-organization`, and no link, if the partner's organization is bound to another one than the account's
   */
  link(employee: EmployeeKey, accountId: string): Promise<Account | 'other-organization' | undefined>
  /**
   * Ends a link: the employee's next visit asks for a log-in again.
   *
   * @param linkId `employeeDigestOf` the employee
   * @returns the employee; `undefined` if the account has no such link
   */
  unlink(linkId: string, accountId: string): Promise<EmployeeKey | undefined>
  /**
   * Ends what the partner's payloads of an employee opened, linked or not: `find` gives the account with this `lastEnd` from now on, and
   * deliveries of the employee that wait are not taken out any more (see {@link HeldDeliveries}). A transaction that runs
   * meanwhile and has found the account commits first, or finds it anew: lock the row, or have transactions run one after the other.
   *
   * @param linkId `employeeDigestOf` the employee
   * @param endId the request that brought the end
   */
  endContext(linkId: string, endId: string): Promise<void>
}

/** What the user compares to choose a contact. Show the `ssn` masked. */
export type ContactFacts = Pick<
  Person,
  'customId' | 'firstname' | 'middlename' | 'lastname' | 'dateOfBirth' | 'ssn'
>

/** A contact to choose from, with what is known of it. */
export interface ContactCandidate extends ContactFacts {
  readonly contactId: string
  /** Of `findContradictions`: what differs from the person sent. */
  readonly contradictions: readonly PersonTrait[]
}

/** The contact of the person in focus. */
export type ContactMatch =
  | { readonly kind: 'selected'; readonly contactId: string }
  | { readonly kind: 'created'; readonly contactId: string }
  /** The user must choose: several contacts fit, or the only one contradicts the payload. Nothing was written. */
  | {
      readonly kind: 'choose'
      /** What the partner sent, to be shown beside each candidate. */
      readonly sent: ContactFacts
      readonly candidates: readonly ContactCandidate[]
    }

/** The contacts of the service. */
export interface ContactBook {
  /**
   * Finds the contact in the service's organization of the account, by the first of these that finds any:
   *
   * 1. the partner and its `customId`;
   * 2. the `ssn` in any spelling of its country, whichever partner sent it;
   * 3. a `customId` whose partner is not known, with the same name (see `hasSameName`).
   *
   * Otherwise it creates the contact. A `customId` of one partner never finds a contact that has it from another partner.
   * From then on the partner and its `customId` find the contact, beside the ids of other partners.
   *
   * If several fit: `choose`. If the only one contradicts the payload (see `findContradictions`): `choose`, with it and every
   * contact that has the identity number. `matchContact` decides so. The payload fills empty fields and never overwrites. Two calls at once for one
   * person must not create two contacts.
   */
  put(
    organization: OrganizationKey,
    person: Person,
    context: { readonly accountId: string; readonly organizationName: string | undefined },
  ): Promise<ContactMatch>
}

/** A place where a delivery waits. Only the browser gets the handle; the store sees its digest. */
export interface Hold {
  /** SHA-256 of the handle, base64url. */
  readonly handleDigest: string
  readonly expiresAt: Date
}

/** The event that ends the wait: a log-in (10 minutes), or the opening of the one-time URL (60 seconds). */
export type HoldPurpose = 'log-in' | 'open'

/** Deliveries that wait. */
export interface HeldDeliveries {
  /** Keeps a delivery until `hold.expiresAt`. A second call for the same digest changes nothing. */
  hold(purpose: HoldPurpose, hold: Hold, delivery: Delivery): Promise<void>
  /**
   * Takes a delivery out, atomically: of any number of calls at once exactly one gets it.
   *
   * @returns `undefined` if there is none for this digest and purpose, if it expired at `now` or before, or if the employee's context
   *   has ended since
   */
  take(purpose: HoldPurpose, handleDigest: string, now: Date): Promise<Delivery | undefined>
}

/** The key that makes a token usable once. */
export interface ReplayClaim {
  /** At most 512 characters; holds the partner's id and the token's `jti` or digest, or the id of a repeatable token's post. */
  readonly key: string
  /**
   * Afterwards the token is refused for its age, so the key may be forgotten. 9999-12-31 for a token without times; in a minute for a
   * repeatable token's post.
   */
  readonly expiresAt: Date
  /** The request that posts the token, a UUID. */
  readonly requestId: string
}

/**
 * Result of taking a key. `again`: this very request took it before, so its former transaction was committed. `used`: another
 * request took it.
 */
export type ReplayResult = 'taken' | 'again' | 'used'

/** Remembers which tokens were used. */
export interface ReplayGuard {
  /**
   * Takes a key, atomically: of any number of requests at once with one key exactly one gets `taken`. If that request asks
   * again, it gets `again`: a transaction whose commit is in doubt can be run again.
   * In SQL: `insert … on conflict do nothing`; if no row was inserted, compare the row's request.
   */
  consume(claim: ReplayClaim): Promise<ReplayResult>
}

/** A new session, as the browser gets it. */
export interface SessionGrant {
  /** Complete values of `Set-Cookie` headers. The service chooses names and attributes. */
  readonly setCookies: readonly string[]
}

/** Where a session is made. */
export interface SessionContext {
  /** In a frame of the partner's page: browsers keep the cookie only with `SameSite=None; Secure; Partitioned`. */
  readonly isFramed: boolean
  readonly partnerId: string
  /** The link by which the account signs in: `employeeDigestOf` the employee. Keep it with the session, for `endLinked`. */
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
   * Ends every session that was made with this `linkId`, in windows and in frames. Called after the link has ended. A session
   * that a post makes at the same moment must not stay.
   */
  endLinked(linkId: string): Promise<void>
}

/** Sessions of the service's browsers. */
export interface Sessions extends SessionMaker {
  /**
   * The account that the request's own cookies sign in. A cross-site POST carries no `SameSite=Lax` cookie, so `undefined` does
   * not say that nobody is signed in; the page compares with its own storage (see `renderBootPage`).
   */
  current(request: Request): Promise<Account | undefined>
}

/** A post, the opening of a one-time URL, the log-in that a payload waited for, or the end of a link. */
export type VisitEvent = 'post' | 'open' | 'log-in' | 'unlink'

/**
 * `signed-in`, `log-in` and `link`: the answer was the page of a signed-in user, the log-in page or a one-time URL.
 * `linked`, `linked-elsewhere` and `organization-bound`: the log-in made a link, or found another account or
 * organization. `unlinked`: a link ended. `context-ended`, `session-ended`: a signed end. `repeatable`, before one of the first three: the token is a test partner's sample, which can
 * be posted again. Otherwise the code of the refusal.
 */
export type AuditOutcome =
  | 'signed-in'
  | 'log-in'
  | 'link'
  | 'repeatable'
  | 'linked'
  | 'linked-elsewhere'
  | 'organization-bound'
  | 'unlinked'
  | 'context-ended'
  | 'session-ended'
  | RefusalCode

/** One line of the audit log: who did what, for which partner and organization. No name, token, ssn or contact. */
export interface AuditEntry {
  readonly at: Date
  /** The request that brought the payload, was refused, or ended the link. */
  readonly requestId: string
  readonly event: VisitEvent
  readonly outcome: AuditOutcome
  readonly partnerId: string
  /** As the partner writes it, at most 256 characters; `undefined` if a refused token did not say it. */
  readonly organizationId: string | undefined
  /** `undefined` while no account is known. */
  readonly accountId: string | undefined
  /** `employeeDigestOf`, while no account is known and whenever a link begins or ends. */
  readonly employeeDigest: string | undefined
}

/** Keeps the audit log. */
export interface AuditLog {
  /**
   * Keeps an entry. A second one with the same `requestId`, `event`, `outcome` and `employeeDigest` comes from a transaction
   * that was run again, and is not kept.
   */
  record(entry: AuditEntry): Promise<void>
}

/** The stores that take part in one transaction. */
export interface ReceiverStores {
  readonly replay: ReplayGuard
  readonly accounts: AccountLinks
  readonly contacts: ContactBook
  readonly held: HeldDeliveries
  readonly audit: AuditLog
  /**
   * Makes and ends sessions in the same transaction. Without it the receiver's own `sessions` does so after the transaction,
   * for a log-in library that has a connection of its own.
   */
  readonly sessions?: SessionMaker | undefined
}

/** A post of a verified payload, before anything of it was stored. */
export interface KnownVisit {
  readonly claim: ReplayClaim
  readonly person: Person
  /** `linkId` finds the employee's account. */
  readonly session: SessionContext
  /** To record with the account: the outcome is `signed-in`. */
  readonly entry: AuditEntry
  readonly request: Request
}

/**
 * Takes a usual post at once, such as in one statement: the employee is linked, the partner's `customId` finds the contact, the
 * contact has each field that was sent, with the same names, identity number and date of birth, and the token was not used.
 * All effects take place together: the key is taken, the entry recorded, the session made.
 *
 * Every other post changes nothing and is answered with `undefined`: the receiver then runs its transaction over the stores.
 */
export type TakeKnownVisit = (visit: KnownVisit) => Promise<
  | {
      readonly account: Account
      readonly contact: ContactMatch
      readonly session: SessionGrant
    }
  | undefined
>

/** How {@link RunInTransaction} may run its work. */
export interface TransactionContext {
  /**
   * Whether the work may be run again when its commit is in doubt: two runs then have the effect of one. Work that was rolled
   * back may always be run again.
   */
  readonly isRepeatable: boolean
}

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. Resolves with the result of `work`
 * after the commit, or rejects with its error.
 *
 * @example
 * ```ts
 * const runTransaction = work => db.transaction().execute(trx => work(storesOver(trx)))
 * ```
 */
export type RunInTransaction = <Result>(
  work: (stores: ReceiverStores) => Promise<Result>,
  context: TransactionContext,
) => Promise<Result>
