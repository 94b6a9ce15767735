import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { PayloadShapeError, type RefusalCode, type SigningKeySource } from '@service-link/jwt-payload'
import { checkClaims, onlyOf, type PartnerRegistration, readToken } from '@service-link/jwt-payload/steps'
import {
  type ArgsIssue,
  assertParameter,
  ClosingError,
  defineError,
  ParameterError,
} from '@service-link/protocol-core/errors'
import type { PayloadClaims } from '@service-link/protocol-core/person'
import { Arrivals, type WaitOptions } from '@service-link/protocol-core/time'
import { createReceiver } from '../create-receiver.ts'
import { nodeHandler } from '../node/index.ts'
import { type PageOutcome, renderBootPage } from '../pages/render-boot-page.ts'
import { createPartnerDirectory } from '../partner-directory.ts'
import { assertParsed } from '../read-registrations.ts'
import type { ContactMatch, RunInTransaction } from '../stores/ports.ts'
import { createMemorySessions, createMemoryStore, type MemoryContact } from '../testing/memory-store.ts'

/** A partner's registration, or a part of it. */
type TestRegistration = {
  readonly [Name in keyof PartnerRegistration]?: PartnerRegistration[Name] | undefined
}

/** Options of {@link startTestService}. */
export interface TestServiceOptions {
  /**
   * Your registration, as the parsed `registration.json` of `keygen` has it: alone, or in a list. Its keys are registered beside the
   * one in `signing`. Default: a partner with that key alone.
   */
  readonly partner?: TestRegistration | readonly [TestRegistration] | undefined
  /** Contacts that the service has at the start. Default: none. */
  readonly contacts?: readonly MemoryContact[] | undefined
  /** Whether an employee is unknown until `linkEmployee`, and gets the log-in page. Default false: every employee is known. */
  readonly isFirstVisit?: boolean | undefined
  /** The service's time. Default: the machine's clock. */
  readonly clock?: (() => Date) | undefined
}

/** A payload that the service took. */
export interface TestDelivery {
  /** Id of the request that brought it, as in the header `x-request-id`. */
  readonly requestId: string
  /** The post, the opening of a one-time URL, or the log-in of {@link TestService.linkEmployee}. */
  readonly event: 'post' | 'open' | 'log-in'
  /** The page of a signed-in user, the log-in page, or a one-time URL. */
  readonly answer: 'signed-in' | 'log-in' | 'link'
  /** The verified claims: employee, organization and contact. */
  readonly payload: PayloadClaims
  /** What became of the contact, with the answer `signed-in`: selected, created, or the user must choose. */
  readonly contact?: ContactMatch | undefined
}

/** A request that the service refused. */
export interface TestRefusal {
  readonly requestId: string
  readonly code: RefusalCode
  /** HTTP status of the answer. */
  readonly status: number
  /** What is wrong and what to do, as in the answer. */
  readonly sentence: string
  /** The failing claims by path, such as `contact.id`, for `ERR_PAYLOAD_SHAPE`; else empty. */
  readonly issues: readonly ArgsIssue[]
}

/** An employee, by the claims `organizationId` and `employeeId`. */
export type TestEmployee = Pick<PayloadClaims, 'organizationId' | 'employeeId'>

/** A service for one partner, on a port of this machine. */
export interface TestService extends AsyncDisposable {
  /** Address of the post, and the claim `aud` of its tokens: `http://127.0.0.1:<port>/partner/payload`. */
  readonly audience: string
  /** The claim `iss` of the partner. */
  readonly issuer: string
  /** A key that is registered, for `signPayload`. Other languages read its `pem` (PKCS #8, ES256) and send its `kid`. */
  readonly signing: SigningKeySource & { readonly kind: 'pkcs8'; readonly pem: string; readonly kid: string }
  /** Every payload that was taken, in order. */
  deliveries(): readonly TestDelivery[]
  /** Every refused request, in order. */
  refusals(): readonly TestRefusal[]
  /**
   * Returns the first delivery that it has not returned before, or waits for it.
   *
   * @throws {NoDeliveryError} if none comes in time
   * @throws {ClosingError} at once when the service is closed
   */
  nextDelivery(options?: WaitOptions): Promise<TestDelivery>
  /** As {@link nextDelivery}, for refusals. */
  nextRefusal(options?: WaitOptions): Promise<TestRefusal>
  /**
   * Does what a log-in does: links the employee to an account, and lets its waiting payload take effect.
   *
   * @throws {ParameterError} if another employee's payload waits, and none of this one
   */
  linkEmployee(employee: TestEmployee): Promise<void>
  /** Ends connections and waits. */
  close(): Promise<void>
}

/** Nothing arrived in time. */
export class NoDeliveryError extends defineError(
  'ERR_NO_DELIVERY',
  // `last` says what became of the last request.
  (waitedMs: number, last: string) => ({
    message: `Nothing new arrived within ${waitedMs} ms. ${last}`,
    waitedMs,
  }),
) {}

const otherEmployee =
  'has no payload that waits for a log-in, but another one has. Write organizationId and employeeId as in its claims.'

const account = { id: 'test-account', displayName: 'Test account' }

/**
 * Starts a service for a partner's tests: the real receiver with stores in memory, on a free port of 127.0.0.1. Post to it as to
 * the real service, from any language, and ask what arrived.
 *
 * @throws {ParameterError} if an option is of another type or not known
 * @throws {ReceiverOptionError} if the registration has another shape
 * @throws {KeyImportError} if a key of the registration cannot be used
 * @example
 * ```ts
 * import { postPayload, signPayload } from '@service-link/jwt-payload'
 * import { startTestService } from '@service-link/receiver/test-service'
 *
 * const service = await startTestService()
 * const { audience, issuer, signing } = service
 * const claims = { organizationId: 'org-1', employeeId: 'emp-7', contact: { id: '4711' } }
 * await postPayload(audience, await signPayload(claims, signing, { audience, issuer }))
 * console.log((await service.nextDelivery()).payload.contact.id) // 4711
 * await service.close()
 * ```
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  assertParameter('options', options, 'object')
  const partner = options.partner === undefined ? {} : onlyOf(options.partner)
  assertParsed('options.partner', partner)
  if (Array.isArray(partner))
    throw new ParameterError(
      'options.partner',
      'one registration',
      'must be one registration, not a list of others.',
    )
  assertParameter('options', { ...options, partner }, 'closed', {
    partner: 'object',
    contacts: 'list?',
    isFirstVisit: 'boolean?',
    clock: 'clock?',
  })
  const { contacts = [], isFirstVisit = false, clock = () => new Date() } = options
  const {
    id = 'test-partner',
    name = 'Test partner',
    issuer = 'https://partner.example',
    keys = [],
  } = partner
  const kid = 'test-service'
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = { kind: 'spki' as const, pem: pemOf(publicKey, 'spki'), kid }
  const registration = { ...partner, id, name, issuer, keys: [keys, own].flat() }
  const partners = await createPartnerDirectory([registration], { clock, validity: 'use' })

  const deliveries = new Arrivals<TestDelivery>()
  const refusals = new Arrivals<TestRefusal>()
  const outcomes = new Map<string, PageOutcome>()
  const payloads = new Map<string, PayloadClaims>()
  const waiting = new Map<string, string>()
  let last = 'Nothing was posted.'
  const note = (event: TestDelivery['event'], requestId: string, contact?: ContactMatch) => {
    const outcome = outcomes.get(requestId)
    const payload = payloads.get(requestId)
    outcomes.delete(requestId)
    if (!payload) return
    if (outcome?.kind === 'log-in') waiting.set(nameOf(payload), outcome.handle)
    const match = contact ?? (outcome?.kind === 'signed-in' ? outcome.contact : undefined)
    const answer = match ? 'signed-in' : (outcome?.kind ?? 'link')
    last = `The last one was taken; deliveries() has ${deliveries.all.length + 1} in all.`
    deliveries.add({ requestId, event, answer, payload, ...(match && { contact: match }) })
  }

  const store = createMemoryStore({ accounts: [account], contacts })
  const runTransaction: RunInTransaction = (work, context) =>
    store.runTransaction(stores => {
      if (isFirstVisit) return work(stores)
      const { accounts } = stores
      const find: typeof accounts.find = async employee => {
        const linked = (await accounts.find(employee)) ?? (await accounts.link(employee, account.id))
        return typeof linked === 'object' ? linked : undefined
      }
      return work({ ...stores, accounts: { ...accounts, find } })
    }, context)

  // An import would read each export of the module, and so load the WebSocket client: 50 ms on Node 26.
  const server = process.getBuiltinModule('node:http').createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const audience = `http://127.0.0.1:${Object(address).port}/partner/payload`
  const receiver = createReceiver({
    url: audience,
    partners,
    runTransaction,
    sessions: createMemorySessions(),
    clock,
    renderPage(outcome, context) {
      outcomes.set(outcome.requestId, outcome)
      return renderBootPage(pageOf(outcome.kind === 'log-in' ? 'Log in' : 'Signed in'), outcome, context)
    },
    onEvent({ requestId, refusal }) {
      if (!refusal) return
      const { code, status, message: sentence } = refusal
      const issues = refusal instanceof PayloadShapeError ? refusal.issues : []
      last = `The last post was refused: ${sentence} (${code})`
      refusals.add({ requestId, code, status, sentence, issues })
    },
  })
  const handler = nodeHandler({
    ...receiver,
    async receive(request) {
      const copy = request.clone()
      const response = await receiver.receive(request)
      if (!response.ok) {
        // The rest of a body that was refused early is not awaited.
        copy.body?.cancel().catch(() => undefined)
        return response
      }
      const token = new URLSearchParams(await copy.text()).get('payload') ?? ''
      const requestId = requestIdOf(response)
      const { payload } = checkClaims(readToken(token.trim()).claims(), 'lenient')
      if (payload.contact) payloads.set(requestId, payload)
      note('post', requestId)
      return response
    },
    async open(request) {
      const response = await receiver.open(request)
      if (response.ok) note('open', requestIdOf(response))
      return response
    },
  })
  server.on('request', (request, response) =>
    handler(request, response, error => {
      if (error === undefined) last = 'The last request had another path: post to service.audience as it is.'
      response.writeHead(error === undefined ? 404 : 500).end()
    }),
  )

  const late = (waitedMs: number) => new NoDeliveryError(waitedMs, last)
  const close = async () => {
    const closed = new ClosingError('The test service is closed.')
    deliveries.end(closed)
    refusals.end(closed)
    if (!server.listening) return
    const ended = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await ended
  }
  return {
    audience,
    issuer,
    signing: { kind: 'pkcs8', pem: pemOf(privateKey, 'pkcs8'), kid },
    deliveries: () => deliveries.all,
    refusals: () => refusals.all,
    nextDelivery: (bounds = {}) => deliveries.next(bounds, late),
    nextRefusal: (bounds = {}) => refusals.next(bounds, late),
    async linkEmployee(employee) {
      assertParameter('employee', employee, 'closed', { organizationId: 'text', employeeId: 'text' })
      const handle = waiting.get(nameOf(employee))
      if (handle === undefined) {
        // Before a first post it is a link that exists already.
        if (waiting.size > 0) throw new ParameterError('employee', 'one whose payload waits', otherEmployee)
        const key = { partnerId: id, ...employee }
        await store.runTransaction(({ accounts }) => accounts.link(key, account.id), { isRepeatable: false })
        return
      }
      waiting.delete(nameOf(employee))
      const { delivery, contact } = await receiver.completePending(handle, account.id)
      note('log-in', delivery.requestId, contact)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const pageOf = (title: string) =>
  `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body>${title}.</body></html>`

const pemOf = (key: KeyObject, type: 'spki' | 'pkcs8') => String(key.export({ type, format: 'pem' }))

const nameOf = ({ organizationId, employeeId }: TestEmployee) => JSON.stringify([organizationId, employeeId])

const requestIdOf = ({ headers }: Response) => headers.get('x-request-id') ?? ''
