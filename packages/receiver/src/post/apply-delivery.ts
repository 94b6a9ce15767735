import * as base64url from 'jose/base64url'
import { entryOf, recordEntry } from '../audit.ts'
import type { Partner } from '../partner-directory.ts'
import { RateLimitedError, ReceiverRefusal, wrongAnswer } from '../receiver-errors.ts'
import type { ReceiverSettings } from '../receiver-options.ts'
import { digestOf, employeeDigestOf } from '../stores/digests.ts'
import type {
  Account,
  AuditOutcome,
  ContactMatch,
  Delivery,
  Hold,
  ReceiverStores,
  ReplayResult,
  SessionContext,
  SessionGrant,
} from '../stores/ports.ts'
import { isFramed, type Visitor } from './headers.ts'
import type { VerifiedPost, VerifiedToken } from './verify-post.ts'

/** The employee is known: the person is in the contact book. */
export interface Applied {
  /** The payload, its partner and its employee. */
  readonly delivery: Delivery
  /** The employee's account. */
  readonly account: Account
  /** The contact to show, or those to choose from. */
  readonly contact: ContactMatch
  /** Present if the session was made in the transaction. */
  readonly session?: SessionGrant | undefined
}

/** The employee is not known: the delivery waits for the log-in. */
export interface HeldForLogIn {
  readonly delivery: Delivery
  readonly handle: string
  readonly expiresAt: Date
}

/** What became of a delivery, and where its session is made. */
export type Entered = (Applied | HeldForLogIn) & { readonly sessionContext: SessionContext }

/** What became of a visit. */
export type Outcome =
  | { readonly delivery: Delivery; readonly openHandle: string }
  | (Entered & {
      /** The account that the browser was signed in to. */
      readonly before: Account | undefined
    })

/** Time for which a one-time URL works. */
export const openTimeoutSeconds = 60

/** Time for which a payload waits for the log-in of its employee. */
export const logInTimeoutSeconds = 600

/** Lets a verified post take effect, once and within its partner's rate. */
export async function takePost(
  post: VerifiedPost,
  visitor: Visitor,
  parts: ReceiverSettings,
): Promise<Outcome> {
  return withinRate(post, parts, () =>
    isForProgram(visitor, post.partner) ? holdForOpening(post, parts) : enter(post, visitor, parts),
  )
}

/** Whether the answer is JSON for a program, and no page. */
export function isForProgram(
  { scriptOrigin, prefers }: Visitor,
  { answer }: Pick<Partner, 'answer'>,
): boolean {
  return scriptOrigin !== undefined || (prefers ?? answer) === 'link'
}

/** Runs the work of a post within its partner's rate. A post of a token that was used before does not count. */
export async function withinRate<Result extends object>(
  { partner, at }: VerifiedToken,
  { rateLimiter }: ReceiverSettings,
  work: () => Promise<Result | 'used'>,
): Promise<Result> {
  const rate = await rateLimiter.take(partner.id, partner.maxPostsPerMinute, at)
  if (typeof rate?.isAllowed !== 'boolean') throw wrongAnswer('rateLimiter.take', 'an object with isAllowed')
  if (!rate.isAllowed) throw new RateLimitedError(rate.retryAfterSeconds)
  const outcome = await work()
  if (outcome !== 'used') return outcome
  const giveBack = async () => rateLimiter.giveBack(partner.id, at)
  await giveBack().catch(() => undefined)
  throw new ReceiverRefusal('ERR_PAYLOAD_REPLAYED')
}

/** Holds a post for the opening of its one-time URL, unless its token was used before. */
async function holdForOpening(
  post: VerifiedPost,
  { clock, runTransaction }: ReceiverSettings,
): Promise<Outcome | 'used'> {
  const { handle, hold } = await createHold(openTimeoutSeconds, clock)
  const result = await runTransaction(
    async stores => {
      const taken = await consume(stores, post)
      if (taken !== 'taken') return taken
      await stores.held.hold('open', hold, post.delivery)
      await record(stores, post, 'link')
      return taken
    },
    { isRepeatable: true },
  )
  return result === 'used' ? result : { delivery: post.delivery, openHandle: handle }
}

/** Opens the service with a post, unless its token was used before. */
async function enter(
  post: VerifiedPost,
  visitor: Visitor,
  parts: ReceiverSettings,
): Promise<Outcome | 'used'> {
  const before = await currentAccount(visitor, parts)
  const known = post.isRepeatable ? undefined : await enterKnown(post, visitor, parts)
  if (known) return { ...known, before }
  let former: Outcome | undefined
  return parts.runTransaction(
    async stores => {
      const taken = await consume(stores, post)
      if (taken === 'used') return taken
      // `again`: the former attempt was committed. Its session must not be made twice.
      if (taken === 'taken' || !former)
        former = { ...(await applyOrHold(stores, post.delivery, 'post', visitor, parts.clock)), before }
      return former
    },
    { isRepeatable: true },
  )
}

const replayResults: readonly ReplayResult[] = ['taken', 'again', 'used']

/** Uses a token up; `used` if it was used before. */
export async function consume(stores: ReceiverStores, post: VerifiedToken): Promise<ReplayResult> {
  const taken = await stores.replay.consume(post.claim)
  if (!replayResults.includes(taken)) throw wrongAnswer('replay.consume', 'taken, again or used')
  if (post.isRepeatable && taken === 'taken') await record(stores, post, 'repeatable')
  return taken
}

const record = (stores: ReceiverStores, post: VerifiedToken, outcome: AuditOutcome) => {
  const { requestId, employee, at } = post
  return recordEntry(stores, { requestId, at, event: 'post', outcome }, employee)
}

/** Takes a usual post at once, if the service can; `undefined` for all other posts, of which nothing was stored. */
async function enterKnown(
  { claim, delivery, at }: VerifiedPost,
  visitor: Visitor,
  { takeKnownVisit }: ReceiverSettings,
): Promise<Entered | undefined> {
  if (!takeKnownVisit) return undefined
  const { employee, person, requestId } = delivery
  const entry = await entryOf({ requestId, at, event: 'post', outcome: 'signed-in' }, employee)
  const session = await sessionContextOf(delivery, visitor)
  const taken = await takeKnownVisit({ claim, person, session, entry, request: visitor.request })
  if (isNone(taken)) return undefined
  assertAccount('takeKnownVisit: account', taken.account)
  assertMatch('takeKnownVisit: contact', taken.contact)
  return { delivery, ...taken, sessionContext: session }
}

/**
 * Puts the person of a known employee into the contact book, and makes the session if the stores can. Holds the delivery of an
 * unknown employee for the log-in. Runs in a transaction.
 */
export async function applyOrHold(
  stores: ReceiverStores,
  delivery: Delivery,
  event: 'post' | 'open',
  visitor: Visitor,
  clock: () => Date,
): Promise<Entered> {
  const { employee, requestId } = delivery
  const sessionContext = await sessionContextOf(delivery, visitor)
  const account = (await stores.accounts.find(employee)) ?? undefined
  if (account !== undefined) assertAccount('accounts.find', account)
  const outcome = account ? 'signed-in' : 'log-in'
  await recordEntry(stores, { requestId, at: clock(), event, outcome }, employee, account?.id)
  if (!account) {
    const { handle, hold } = await createHold(logInTimeoutSeconds, clock)
    await stores.held.hold('log-in', hold, delivery)
    return { delivery, handle, expiresAt: hold.expiresAt, sessionContext }
  }
  const contact = await putContact(stores, delivery, account.id)
  const session = await stores.sessions?.create(account, visitor.request, sessionContext)
  return { delivery, account, contact, ...(session && { session }), sessionContext }
}

/** Puts the person of a delivery into the contact book of an account's organization. */
export async function putContact(
  { contacts }: ReceiverStores,
  { employee, person, payload }: Delivery,
  accountId: string,
): Promise<ContactMatch> {
  const { partnerId, organizationId } = employee
  const { organizationName } = payload
  const contact = await contacts.put({ partnerId, organizationId }, person, { accountId, organizationName })
  assertMatch('contacts.put', contact)
  return contact
}

/** The account that the browser is signed in to. */
export async function currentAccount(
  { hasCookies, request }: Visitor,
  { sessions }: ReceiverSettings,
): Promise<Account | undefined> {
  const account = hasCookies ? await sessions.current(request) : undefined
  if (isNone(account)) return undefined
  assertAccount('sessions.current', account)
  return account
}

/** Whether a part found nothing. Databases say `null`. */
const isNone = (value: unknown): value is undefined | null => value === undefined || value === null

export function assertAccount(part: string, account: Account): void {
  if (typeof account?.id !== 'string') throw wrongAnswer(part, 'an account with its id as text, or undefined')
}

function assertMatch(part: string, contact: ContactMatch): void {
  const isRight =
    contact?.kind === 'choose' ? Array.isArray(contact.candidates) : typeof contact?.contactId === 'string'
  if (!isRight)
    throw wrongAnswer(part, 'a ContactMatch: its kind, with the contactId as text or the candidates')
}

async function sessionContextOf({ partner, employee }: Delivery, visitor: Visitor): Promise<SessionContext> {
  return {
    isFramed: isFramed(visitor, partner.frameOrigins),
    partnerId: partner.id,
    linkId: await employeeDigestOf(employee),
  }
}

/** Makes a place where a delivery waits, with its handle of 256 random bits, base64url. Only the visitor gets the handle. */
async function createHold(
  seconds: number,
  clock: () => Date,
): Promise<{ readonly handle: string; readonly hold: Hold }> {
  const handle = base64url.encode(crypto.getRandomValues(new Uint8Array(32)))
  const expiresAt = new Date(clock().getTime() + seconds * 1000)
  return { handle, hold: { handleDigest: await digestOf(handle), expiresAt } }
}

/** Whether a text has the form of a handle. */
export function isHandle(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}
