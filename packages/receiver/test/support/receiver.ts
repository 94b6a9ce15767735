import { type SignPayloadOptions, signPayload } from '@service-link/jwt-payload'
import type { PayloadClaims } from '@service-link/protocol-core'
import {
  registeredKey,
  signingKey,
  url,
  payload as usualPayload,
} from '@service-link/test-kit/payload-vectors'
import * as z from 'zod/mini'
import {
  createPartnerDirectory,
  createReceiver,
  employeeDigestOf,
  type PageOutcome,
  type PartnerDirectory,
  type PartnerRegistration,
  partnerRegistrationSchema,
  type Receiver,
  type ReceiverEvent,
  type ReceiverOptions,
  type ReceiverStores,
  renderBootPage,
  type Sessions,
} from '../../src/index.ts'
import {
  createMemorySessions,
  createMemoryStore,
  type MemoryContact,
  type MemoryStore,
} from '../../src/testing/index.ts'

export { url }

export const payload: PayloadClaims = usualPayload
export const ada = { id: 'account-ada', displayName: 'Ada Lovelace' }
export const bob = { id: 'account-bob', displayName: 'Bob Marley' }
/** An account of another organization of the service. */
export const eve = { id: 'account-eve', displayName: 'Eve Ensler', organizationId: 'elsewhere' }

export const indexHtml =
  '<!doctype html>\n<html lang="en"><head><title>Web app</title></head><body><div id="root"></div></body></html>'

/** A receiver with stores in memory, and access to its state for tests. */
export interface TestReceiver extends Receiver {
  readonly store: MemoryStore
  readonly sessions: Sessions
  readonly events: ReceiverEvent[]
  readonly outcomes: PageOutcome[]
  /** Moves the receiver's clock. */
  readonly pass: (seconds: number) => void
  readonly clock: () => Date
  /** Signs with a key of the vectors, at the receiver's time. */
  readonly sign: (
    payload?: Partial<PayloadClaims>,
    options?: Partial<SignPayloadOptions> & { key?: string },
  ) => Promise<string>
  /** Links the employee of `payload()` to an account. */
  readonly logIn: (accountId: string, payload?: Partial<PayloadClaims>) => Promise<void>
}

/** The link of the employee of `payload`, or of the same one in another organization. */
export const linkIdOf = (organizationId = 'org-1') =>
  employeeDigestOf({ partnerId: 'strict', organizationId, employeeId: 'emp-7' })

/** Overrides of the receiver for a test. */
export interface TestReceiverOptions extends Partial<ReceiverOptions> {
  readonly contacts?: readonly MemoryContact[]
  /** Members of the strict partner's registration. */
  readonly strictPartner?: Partial<PartnerRegistration>
  /** Wraps the receiver's directory. */
  readonly wrapPartners?: (partners: PartnerDirectory) => PartnerDirectory
  /** Replaces stores of each transaction. */
  readonly changeStores?: (stores: ReceiverStores) => Partial<ReceiverStores>
}

export async function createTestReceiver(options: TestReceiverOptions = {}): Promise<TestReceiver> {
  let now = new Date('2026-06-01T12:00:00Z')
  const clock = () => now
  const { contacts = [], strictPartner = {}, wrapPartners = partners => partners, ...others } = options
  const { changeStores = () => ({}), ...overrides } = others
  const store = createMemoryStore({ accounts: [ada, bob, eve], contacts })
  const sessions = createMemorySessions()
  const events: ReceiverEvent[] = []
  const outcomes: PageOutcome[] = []
  const registrations = [
    { id: 'strict', name: 'Strict Partner', ...strictPartner, keys: ['p256', 'rsa'] },
    {
      id: 'lenient',
      name: 'Lenient Partner',
      policy: 'lenient',
      issuer: 'https://lenient.example',
      keys: ['secret'],
    },
    { id: 'inactive', name: 'Inactive Partner', isActive: false, keys: ['p384'] },
  ].map(({ keys, ...registration }) =>
    partnerRegistrationSchema.parse({ ...registration, keys: keys.map(registeredKey) }),
  )
  const receiver = createReceiver({
    url,
    partners: wrapPartners(await directoryOf(registrations, clock)),
    runTransaction: (work, context) =>
      store.runTransaction(stores => work({ ...stores, ...changeStores(stores) }), context),
    audit: store.audit,
    sessions,
    renderPage: (outcome, { nonce }) => {
      outcomes.push(outcome)
      return renderBootPage(indexHtml, outcome, { nonce })
    },
    clock,
    onEvent: event => events.push(event),
    ...overrides,
  })
  const sign: TestReceiver['sign'] = (claims = {}, { key = 'p256', ...signOptions } = {}) =>
    signPayload({ ...payload, ...claims }, signingKey(key), { audience: url, clock, ...signOptions })
  return {
    ...receiver,
    store,
    sessions,
    events,
    outcomes,
    clock,
    sign,
    pass: seconds => {
      now = new Date(now.getTime() + seconds * 1000)
    },
    logIn: async (accountId, claims = {}) => {
      await receiver.receive(post(await sign(claims)))
      const outcome = outcomes.at(-1)
      if (outcome?.kind === 'log-in') await receiver.completePending(outcome.handle, accountId)
      outcomes.length = 0
      events.length = 0
    },
  }
}

const directories = new Map<string, Promise<PartnerDirectory>>()

/** Makes a directory once for all receivers of the same partners. A directory with key sets keeps fetched keys, so each gets a new one. */
export function directoryOf(
  registrations: readonly PartnerRegistration[],
  clock: () => Date,
): Promise<PartnerDirectory> {
  const create = () => createPartnerDirectory(registrations, { clock, validity: 'use' })
  if (registrations.some(({ keys }) => keys.some(({ kind }) => kind === 'jwks'))) return create()
  const name = JSON.stringify(registrations)
  const directory = directories.get(name) ?? create()
  directories.set(name, directory)
  return directory
}

/** The post of a browser, or of another client by its headers. */
export function post(token: string, headers: Record<string, string> = {}): Request {
  return new Request(url, {
    method: 'POST',
    headers: { accept: 'text/html', ...headers },
    body: new URLSearchParams({ payload: token }),
  })
}

/** Posts for a one-time URL, and returns it. */
export async function linkOf(receiver: TestReceiver): Promise<string> {
  const answer = await receiver.receive(post(await receiver.sign(), { accept: 'application/json' }))
  return z.strictObject({ url: z.url() }).parse(await answer.json()).url
}

/** The last page, which is the log-in. */
export function logInOf({ outcomes }: TestReceiver): Extract<PageOutcome, { kind: 'log-in' }> {
  const outcome = outcomes.at(-1)
  if (outcome?.kind !== 'log-in') throw new TypeError('The last page was not the log-in.')
  return outcome
}
