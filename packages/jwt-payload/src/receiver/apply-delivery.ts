import * as base64url from 'jose/base64url'
import { digestOf, employeeDigestOf, entryOf, recordEntry } from './audit.ts'
import type { DeliveryPartner } from './partner-registration.ts'
import type {
  Account,
  ContactMatch,
  Delivery,
  Hold,
  ReceiverStores,
  ReplayClaim,
  SessionContext,
  SessionGrant,
} from './ports.ts'
import type { ReceiverSettings } from './receiver-options.ts'

/** The employee is known: the person is in the contact book. */
export interface Applied {
  readonly delivery: Delivery
  readonly account: Account
  readonly contact: ContactMatch
  /** Present if the session was made in the transaction. */
  readonly session?: SessionGrant
}

/** The employee is not known: the delivery waits for the log-in. */
export interface HeldForLogIn {
  readonly delivery: Delivery
  readonly handle: string
  readonly expiresAt: Date
}

/** How long a payload waits for its log-in, in seconds. */
const logInTimeoutSeconds = 600

/**
 * Puts the person of a known employee into the contact book, and makes the session if the stores can. Holds the delivery of an
 * unknown employee for the log-in. Runs in a transaction.
 */
export async function applyOrHold(
  stores: ReceiverStores,
  delivery: Delivery,
  request: Request,
  event: 'post' | 'open',
  { clock }: ReceiverSettings,
): Promise<Applied | HeldForLogIn> {
  const { employee, requestId } = delivery
  const account = await stores.accounts.find(employee)
  const outcome = account ? 'signed-in' : 'log-in'
  await recordEntry(stores, { requestId, at: clock(), event, outcome }, employee, account?.id)
  if (!account) {
    const { handle, hold } = await createHold(logInTimeoutSeconds, clock)
    await stores.held.hold('log-in', hold, delivery)
    return { delivery, handle, expiresAt: hold.expiresAt }
  }
  const contact = await putContact(stores, delivery, account.id)
  const session = await stores.sessions?.create(account, request, await sessionContextOf(delivery, request))
  return { delivery, account, contact, ...(session && { session }) }
}

/** Takes a usual post at once, if the service can; `undefined` for all other posts, of which nothing was stored. */
export async function applyKnown(
  claim: ReplayClaim,
  delivery: Delivery,
  request: Request,
  at: Date,
  { takeKnownVisit }: ReceiverSettings,
): Promise<Applied | undefined> {
  if (!takeKnownVisit) return undefined
  const { employee, person, requestId } = delivery
  const facts = { requestId, at, event: 'post', outcome: 'signed-in' } as const
  const entry = await entryOf(facts, employee)
  const session = await sessionContextOf(delivery, request)
  const taken = await takeKnownVisit({ claim, person, session, entry, request })
  return taken && { delivery, ...taken }
}

/** Puts the person of a delivery into the contact book of an account's organization. */
export function putContact(
  { contacts }: ReceiverStores,
  { employee, person, payload }: Delivery,
  accountId: string,
): Promise<ContactMatch> {
  const { partnerId, organizationId } = employee
  const { organizationName } = payload
  return contacts.put({ partnerId, organizationId }, person, { accountId, organizationName })
}

export async function sessionContextOf(
  { partner, employee }: Delivery,
  request: Request,
): Promise<SessionContext> {
  return {
    isFramed: isFramed(partner, request),
    partnerId: partner.id,
    linkId: await employeeDigestOf(employee),
  }
}

/**
 * Whether the answer will stand in a frame: the partner has `frameOrigins`, and the browser says that it loads a frame
 * (`Sec-Fetch-Dest`, which no script can set). All other requests are answered as for a window. So is a frame of another
 * page: its session would belong to that page's site.
 */
export function isFramed(
  { frameOrigins }: Pick<DeliveryPartner, 'frameOrigins'>,
  { headers }: Request,
): boolean {
  if (frameOrigins.length === 0 || !['iframe', 'frame'].includes(headers.get('sec-fetch-dest') ?? ''))
    return false
  // A GET states no origin, and a page that hides its address states `null`. The browser then enforces `frame-ancestors`.
  const origin = headers.get('origin')
  return origin === null || origin === 'null' || frameOrigins.includes(origin)
}

/** Makes a place where a delivery waits, with its handle of 256 random bits, base64url. Only the visitor gets the handle. */
export async function createHold(
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
