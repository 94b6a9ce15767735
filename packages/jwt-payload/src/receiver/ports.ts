import type { Payload, Person } from '@service-link/protocol-core'
import type { VerificationKey } from '../keys/verification-key.ts'
import type { PayloadPolicy } from '../verify/policy.ts'

// What the receiver needs from the service around it. Each port has an in-memory implementation in `memory/`; a database
// implements `EffectPorts` over one transaction and hands it to `createEffects`, or all of `DeliveryEffects` by itself.

// ---------------------------------------------------------------- partners

/** What a token says of its signer before anything of it is trusted. */
export interface PartnerHint {
  /** Header `kid`. */
  readonly keyId: string | undefined
  /** Header `x5t#S256`, else `x5t`: base64url digest of the signing certificate. Only compared, never obeyed. */
  readonly certificateDigest: string | undefined
  /** Claim `iss`. */
  readonly issuer: string | undefined
}

/** A registered partner, with keys imported and ready. */
export interface Partner {
  /** The service's own identifier of the partner; part of every employee's and organization's identity. */
  readonly id: string
  /** What people read. */
  readonly name: string
  /** The only `iss` that this partner's tokens may carry; `undefined`: any, or none. */
  readonly issuer: string | undefined
  readonly policy: PayloadPolicy
  /** A partner that is not active is refused with 403 once its signature was verified. */
  readonly isActive: boolean
  /** Any number, with overlapping validity, so that certificates and secrets can be rotated. */
  readonly keys: readonly VerificationKey[]
}

/** Finds partners. Keys are imported once by `importVerificationKey` and kept by the implementation. */
export interface PartnerDirectory {
  /**
   * Finds the partner that a token names: by `keyId` (or `certificateDigest`), else by `issuer`.
   *
   * @returns `undefined` when none is registered, or when several are and nothing tells them apart
   */
  find(hint: PartnerHint): Promise<Partner | undefined>
}

// -------------------------------------------------------------- what is sent

/** The organization of a partner; organization IDs of two partners have nothing to do with each other. */
export interface OrganizationKey {
  readonly partnerId: string
  readonly organizationId: string
}

/** Who is logged in to the partner's application; the triple identifies, all else is for showing and prefilling. */
export interface EmployeeKey extends OrganizationKey {
  readonly employeeId: string
}

/**
 * One verified payload on its way to its effects. A plain JSON value: a database may keep it as JSON text.
 * Personal data; keep it no longer than told.
 */
export interface Delivery {
  /** Id of the request that brought it; for logs. */
  readonly requestId: string
  readonly partner: { readonly id: string; readonly name: string }
  readonly employee: EmployeeKey
  readonly person: Person
  readonly payload: Payload
}

/** What makes a token usable once. */
export interface ReplayClaim {
  /** At most 512 characters; holds the partner's id and the token's `jti` or digest. */
  readonly key: string
  /** From then on the token is refused for its age, so the key may be forgotten. 9999-12-31 for a token without `exp`. */
  readonly expiresAt: Date
}

/** A place where a delivery waits. The handle itself goes to the browser only; the store sees its digest. */
export interface Hold {
  /** SHA-256 of the handle, base64url. */
  readonly handleDigest: string
  readonly expiresAt: Date
}

/** What a held delivery waits for: a log-in (10 minutes), or its one-time URL being opened (60 seconds). */
export type HoldPurpose = 'log-in' | 'open'

// ------------------------------------------------- ports inside a transaction

/** Remembers which tokens were used. */
export interface ReplayGuard {
  /**
   * Takes a key, atomically: of any number of calls at once with one key exactly one gets `true`.
   * In SQL: `insert … on conflict do nothing`, `true` when a row was inserted.
   *
   * @param expiresAt from then on the key may be forgotten
   * @returns `false` when the key was taken before
   */
  consume(key: string, expiresAt: Date): Promise<boolean>
}

/** An account of the service. */
export interface Account {
  readonly id: string
  /** What people read, such as a name or an e-mail address. */
  readonly displayName: string
}

/** Which account an employee of a partner's organization uses. */
export interface AccountLinks {
  /** Finds the account, or `undefined` for an employee who has not logged in yet (specification 5.1). */
  find(employee: EmployeeKey): Promise<Account | undefined>
  /**
   * Links the employee to an account, unless it is linked already. An account may have any number of employees.
   *
   * @returns the account that the employee is linked to afterwards; `undefined` when there is no account of that id
   */
  link(employee: EmployeeKey, accountId: string): Promise<Account | undefined>
}

/** One of several contacts that fit; what a person needs to tell them apart. */
export interface ContactCandidate {
  readonly contactId: string
  readonly firstname?: string
  readonly lastname?: string
  /** `YYYY-MM-DD` */
  readonly dateOfBirth?: string
}

/** What became of the person in focus. */
export type ContactMatch =
  | { readonly kind: 'selected'; readonly contactId: string }
  | { readonly kind: 'created'; readonly contactId: string }
  /** CustomId is not unique in the service: the web app lets the user choose. Nothing was written. */
  | { readonly kind: 'choose'; readonly candidates: readonly ContactCandidate[] }

/** The contacts of the service. */
export interface ContactBook {
  /**
   * Finds the contact by (organization, `customId`), then by (organization, `ssn`); creates it when neither finds one.
   * Several found by the first that finds any: `choose`. The data sent fill fields that are empty and never overwrite.
   * Two calls at once for one person must not create two contacts.
   */
  put(
    organization: OrganizationKey,
    person: Person,
    context: { readonly accountId: string; readonly organizationName: string | undefined },
  ): Promise<ContactMatch>
}

/** Deliveries that wait. */
export interface HeldDeliveries {
  /** Keeps a delivery until `hold.expiresAt`. */
  hold(purpose: HoldPurpose, hold: Hold, delivery: Delivery): Promise<void>
  /**
   * Takes a delivery out, atomically: of any number of calls at once exactly one gets it.
   *
   * @returns `undefined` when there is none for this digest and purpose, or when it expired at `now` or before
   */
  take(purpose: HoldPurpose, handleDigest: string, now: Date): Promise<Delivery | undefined>
}

/** A session that was made, as the browser is to get it. */
export interface SessionGrant {
  /** Complete values of `Set-Cookie` headers. Name and attributes are the service's matter. */
  readonly setCookies: readonly string[]
}

/** Makes sessions. */
export interface SessionMaker {
  /**
   * Signs the account in, in the browser that sent `request`.
   *
   * On https the cookie should be named `__Host-…` with `Secure; HttpOnly; SameSite=Lax; Path=/`.
   */
  create(account: Account, request: Request): Promise<SessionGrant>
}

/** The ports that take part in one transaction. */
export interface EffectPorts {
  readonly replay: ReplayGuard
  readonly accounts: AccountLinks
  readonly contacts: ContactBook
  readonly held: HeldDeliveries
  /**
   * Where sessions can be made in the same transaction. Left out: the receiver's own `sessions` makes the session after
   * the transaction, as for a log-in library that has a connection of its own.
   */
  readonly sessions?: SessionMaker
}

/**
 * Runs `work` in one transaction: all of it takes effect when `work` resolves, nothing when it rejects.
 *
 * @example
 * ```ts
 * const effects = createEffects(work => db.transaction().execute(trx => work(portsOver(trx))))
 * ```
 */
export type RunInTransaction = <Result>(work: (ports: EffectPorts) => Promise<Result>) => Promise<Result>

// ------------------------------------------------------- effects, as a whole

/** Input of {@link DeliveryEffects.accept}. */
export interface AcceptInput {
  readonly delivery: Delivery
  readonly replay: ReplayClaim
  /** Where the delivery waits if its employee must log in first. */
  readonly logIn: Hold
  readonly request: Request
}

/** Input of {@link DeliveryEffects.defer}. */
export interface DeferInput {
  readonly delivery: Delivery
  readonly replay: ReplayClaim
  /** Where the delivery waits for its one-time URL. */
  readonly open: Hold
}

/** Input of {@link DeliveryEffects.resume}. */
export interface ResumeInput {
  /** Of the one-time URL's handle. */
  readonly handleDigest: string
  /** Where the delivery waits if its employee must log in first. */
  readonly logIn: Hold
  readonly now: Date
  readonly request: Request
}

/** Input of {@link DeliveryEffects.complete}. */
export interface CompleteInput {
  /** Of the handle that the log-in page carried. */
  readonly handleDigest: string
  /** The account that logged in. */
  readonly accountId: string
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

/** Everything that a verified payload does. Each method is one transaction. */
export interface DeliveryEffects {
  /**
   * Takes the replay key; then, for a known employee, puts the person into the contact book (and makes the session, where
   * it can), or holds the delivery for the log-in.
   */
  accept(input: AcceptInput): Promise<Applied | HeldForLogIn | { readonly kind: 'replayed' }>
  /** Takes the replay key and holds the delivery until its one-time URL is opened. */
  defer(input: DeferInput): Promise<{ readonly kind: 'deferred' } | { readonly kind: 'replayed' }>
  /** Takes the delivery of a one-time URL and goes on as `accept` does. */
  resume(input: ResumeInput): Promise<Applied | HeldForLogIn | { readonly kind: 'gone' }>
  /**
   * After the log-in: takes the held delivery, links its employee to the account and puts the person into the contact
   * book. `linked-elsewhere`: the employee has another account meanwhile; nothing takes effect and the handle is spent.
   *
   * @throws {ReceiverOptionError} when there is no account of `accountId`; nothing takes effect and the handle is kept
   */
  complete(
    input: CompleteInput,
  ): Promise<Applied | { readonly kind: 'gone' } | { readonly kind: 'linked-elsewhere' }>
}

// ------------------------------------------------------- around a request

/** Sessions of the service's browsers. */
export interface Sessions extends SessionMaker {
  /**
   * Whom the request's own cookies sign in. A cross-site POST carries no `SameSite=Lax` cookie, so `undefined` does not say
   * that nobody is signed in; the page compares with what it remembers (see `renderBootPage`).
   */
  current(request: Request): Promise<Account | undefined>
}

/** What the page is to show. Goes into the page as JSON: holds what the page needs and nothing else. */
export type PageOutcome =
  | {
      readonly kind: 'signed-in'
      readonly requestId: string
      readonly partner: { readonly id: string; readonly name: string }
      readonly account: Account
      readonly contact: ContactMatch
      /** Another account that was signed in in this browser and is not any more. The page says so. */
      readonly replacedAccount?: { readonly id: string; readonly displayName?: string }
    }
  | {
      readonly kind: 'log-in'
      readonly requestId: string
      readonly partner: { readonly id: string; readonly name: string }
      /**
       * Whose log-in is going to be linked. The page shows it and asks before it logs in: a payload that somebody else
       * made the browser post would otherwise link a stranger to the account.
       */
      readonly employee: {
        readonly organizationName?: string
        readonly username?: string
        readonly firstname?: string
        readonly lastname?: string
        readonly email?: string
      }
      /** To be sent back with the log-in and given to `completePending`; single use. */
      readonly handle: string
      /** When the handle ends, in milliseconds since 1970. */
      readonly expiresAtMs: number
    }

/** What a page needs besides its outcome. */
export interface PageContext {
  /** For `nonce` attributes of the page's inline scripts, as the response's Content-Security-Policy has it. */
  readonly nonce: string
  readonly request: Request
}

/**
 * Writes the page that opens the web app, as a whole HTML document. `renderBootPage` puts the outcome into an existing
 * index.html and makes the page replace its own address.
 */
export type RenderPage = (outcome: PageOutcome, context: PageContext) => string | Promise<string>
