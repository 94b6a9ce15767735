import { once } from 'node:events'
import type { Server } from 'node:http'
import { PayloadShapeError } from '@service-link/jwt-payload'
import { checkClaims, readToken } from '@service-link/jwt-payload/steps'
import { assertParameter, ClosingError, ParameterError } from '@service-link/protocol-core/errors'
import type { PayloadClaims } from '@service-link/protocol-core/person'
import { Arrivals } from '@service-link/protocol-core/time'
import { createReceiver } from '../create-receiver.ts'
import { nodeHandler } from '../node/index.ts'
import { type PageOutcome, renderBootPage } from '../pages/render-boot-page.ts'
import type { ContactMatch, RunInTransaction } from '../stores/ports.ts'
import { createMemorySessions, createMemoryStore, type MemoryContact } from '../testing/memory-store.ts'
import { answerTest } from './answer-test.ts'
import {
  createTestDirectory,
  createTestLimiter,
  readTestPartner,
  type TestRegistration,
  testKeyId,
} from './test-partners.ts'
import {
  NoDeliveryError,
  type TestDelivery,
  type TestEmployee,
  type TestRefusal,
  type TestService,
} from './test-service.ts'
import { signTestToken } from './test-tokens.ts'

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
  /** Port on 127.0.0.1. Default: a free one. */
  readonly port?: number | undefined
  /** The service's time. Default: the machine's clock. */
  readonly clock?: (() => Date) | undefined
}

const otherEmployee =
  'has no payload that waits for a log-in, but another one has. Write organizationId and employeeId as in its claims.'

/** Ends connections whose requests do not arrive, also those that are answered. The receiver gives up on a body before, with its reason. */
const slowest = { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 1000 }

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
  assertParameter('options', options, 'closed', {
    partner: 'any',
    contacts: 'list?',
    isFirstVisit: 'boolean?',
    port: { what: 'a port', isWhole: true },
    clock: 'clock?',
  })
  const { contacts = [], isFirstVisit = false, port = 0, clock = () => new Date() } = options
  const partner = readTestPartner(options.partner)
  const { registration, privateKey } = partner
  const { id, issuer } = registration
  const partners = await createTestDirectory(partner, clock)

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
  const server = process.getBuiltinModule('node:http').createServer(slowest)
  await listen(server, port)
  const audience = `http://127.0.0.1:${Object(server.address()).port}/partner/payload`
  const receiver = createReceiver({
    url: audience,
    partners,
    runTransaction,
    sessions: createMemorySessions(),
    rateLimiter: createTestLimiter(),
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
  const service: TestService = {
    audience,
    issuer,
    registration,
    signing: {
      kind: 'pkcs8',
      pem: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      kid: testKeyId,
    },
    deliveries: () => deliveries.all,
    refusals: () => refusals.all,
    nextDelivery: (bounds = {}) => deliveries.next(bounds, late),
    nextRefusal: (bounds = {}) => refusals.next(bounds, late),
    async makeToken(kind, claims = {}) {
      const token = await signTestToken(kind, claims, { issuer, audience, privateKey, now: clock() })
      if (kind !== 'ERR_PAYLOAD_REPLAYED') return token
      const headers = { accept: 'application/json' }
      const body = new URLSearchParams({ payload: token })
      await receiver.receive(new Request(audience, { method: 'POST', headers, body }))
      return token
    },
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
  server.on('request', (request, response) =>
    handler(request, response, async error => {
      // A client that gives up takes no delivery from the next one. Closing the service ends connections, and so this too.
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      try {
        if (error !== undefined) throw error
        const { status, value } = await answerTest(request, service, gone.signal)
        if (status === 404) last = 'The last request had another path: post to service.audience as it is.'
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      } catch {
        response.writeHead(500).end()
      }
    }),
  )
  return service
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    const problem =
      Object(error).code === 'EADDRINUSE' ? `is taken: ${port}.` : `cannot be used: ${Object(error).code}.`
    throw new ParameterError('options.port', 'a free port', problem)
  }
}

const pageOf = (title: string) =>
  `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body>${title}.</body></html>`

const nameOf = ({ organizationId, employeeId }: TestEmployee) => JSON.stringify([organizationId, employeeId])

const requestIdOf = ({ headers }: Response) => headers.get('x-request-id') ?? ''
