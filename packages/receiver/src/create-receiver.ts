import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { type ReceiverParts, type RequestFacts, recordEntry, withReports } from './audit.ts'
import { describeReceiver, factsOfReceiver } from './describe-receiver.ts'
import { answerOrRefuse } from './post/answer-refusal.ts'
import type { Applied } from './post/apply-delivery.ts'
import { answerPreflight, readVisitor, type Visitor } from './post/headers.ts'
import { completePending, openLink } from './post/held-payloads.ts'
import { receivePost, turnOfLoop } from './post/receive-post.ts'
import { LinkNotFoundError, ReceiverRefusal } from './receiver-errors.ts'
import { type ReceiverOptions, resolveReceiverOptions } from './receiver-options.ts'

/** The service's side of the partner link. Each method is independent of `this`. */
export interface Receiver {
  /** Public addresses of the post, as in the option `url`. */
  readonly urls: readonly string[]
  /** Answers `POST {sso_url}/partner/payload`. Never rejects: failures are refusals. */
  readonly receive: (request: Request) => Promise<Response>
  /** Answers `GET` of a one-time URL, a path below that of the post, at `/open/…`. Never rejects. */
  readonly open: (request: Request) => Promise<Response>
  /**
   * Answers `GET {sso_url}/.well-known/partner-link`: the address, algorithms and limits of this receiver, for programs. Holds nothing
   * about a partner.
   */
  readonly describe: (request: Request) => Response
  /**
   * Lets a held payload take effect after its log-in: links (partner, organization, employee) to the account and puts the
   * person into the contact book. It makes no session: the log-in has one. Call it after the account's owner has
   * confirmed that this partner may sign in as the account. The owner must do so outside a frame and in the session of a
   * log-in; see the outcome `log-in`.
   *
   * @param handle from the log-in page
   * @param accountId the account that logged in
   * @throws {ParameterError} if the handle or the id is no text
   * @throws {PendingGoneError} if the handle was used, has expired or never existed, or its partner is inactive
   * @throws {EmployeeLinkedError} if the employee has another account meanwhile
   * @throws {OrganizationBoundError} if the partner's organization is bound to another one than the account's
   * @throws {ReceiverOptionError} if there is no account of that id; the handle still works
   * @throws what a store throws
   */
  readonly completePending: (handle: string, accountId: string) => Promise<Applied>
  /**
   * Ends a link and every session that it made: the employee's next visit asks for a log-in again.
   *
   * @param linkId `employeeDigestOf` the employee
   * @param accountId the account that is signed in
   * @param requestId for the audit log; default: a random UUID
   * @throws {ParameterError} if an id is no text
   * @throws {LinkNotFoundError} if the account has no such link
   * @throws what a store throws
   */
  readonly unlink: (linkId: string, accountId: string, requestId?: string) => Promise<void>
}

/**
 * Makes the service's side of the partner link (spec 4.1, 5.1): a partner's signed post signs its employee in, and puts the contact
 * in focus. A test can take the stores of `@service-link/receiver/testing`.
 *
 * @param options the receiver's public address, the partners, and the parts of your service
 * @returns what answers posts and one-time URLs, each a `Request` of the platform; for Express and Fastify give it to `nodeHandler`
 * @throws {ParameterError} if an option is missing, of another type or not known
 * @throws {ReceiverOptionError} if an address is not an absolute http(s) URL, or has a query, a fragment, a user name or a password
 * @example
 * ```ts
 * import { createReceiver, renderBootPage } from '@service-link/receiver'
 *
 * const receiver = createReceiver({
 *   url: 'https://sso.example/partner/payload',
 *   partners, runTransaction, sessions,
 *   renderPage: (outcome, { nonce }) => renderBootPage(indexHtml, outcome, { nonce }),
 * })
 * app.all('/partner/payload', context => receiver.receive(context.req.raw))
 * app.all('/partner/payload/open/:handle', context => receiver.open(context.req.raw))
 * app.all('/.well-known/partner-link', context => receiver.describe(context.req.raw))
 * ```
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const parts = withReports(resolveReceiverOptions(options))
  const facts = factsOfReceiver(parts.audience)
  return {
    urls: parts.audience,
    receive: request => answerRequest(request, 'post', parts, receivePost),
    open: request => answerRequest(request, 'open', parts, openLink),
    describe: request => describeReceiver(request, facts),
    completePending: async (handle, accountId) => {
      assertIds({ handle, accountId })
      return completePending(handle, accountId, parts)
    },
    unlink: async (linkId, accountId, requestId = crypto.randomUUID()) => {
      assertIds({ linkId, accountId, requestId })
      return unlink(linkId, accountId, requestId, parts)
    },
  }
}

function assertIds(ids: Readonly<Record<string, unknown>>): void {
  for (const [name, id] of Object.entries(ids)) assertParameter(name, id, 'text')
}

const foreignRequest =
  'must be a Request of the platform. Express and Fastify have others: use nodeHandler(receiver). With Hono give context.req.raw.'

/**
 * Answers one request. A page's script or image is refused at once: otherwise any page could make its visitors' browsers send
 * thousands of requests, or use up one-time URLs. A script's post goes on, because its partner may have registered the origin.
 */
function answerRequest(
  request: Request,
  event: RequestFacts['event'],
  parts: ReceiverParts,
  work: (visitor: Visitor, facts: RequestFacts, parts: ReceiverParts) => Promise<Response>,
): Promise<Response> {
  const isRequest = typeof request?.headers?.get === 'function'
  const visitor = readVisitor(isRequest ? request : new Request(parts.audience[0] ?? ''))
  return answerOrRefuse(visitor, { requestId: crypto.randomUUID(), event }, parts, async facts => {
    if (!isRequest) throw new ParameterError('request', 'a Request', foreignRequest)
    const isScriptsPost = event === 'post' && visitor.scriptOrigin !== undefined
    if (visitor.isScripted && !isScriptsPost) throw new ReceiverRefusal('ERR_NOT_NAVIGATED')
    if (visitor.isPreflight) return answerPreflight(visitor, facts.requestId)
    const answer = await work(visitor, facts, parts)
    await turnOfLoop()
    return answer
  })
}

async function unlink(
  linkId: string,
  accountId: string,
  requestId: string,
  { runTransaction, sessions, clock, tell }: ReceiverParts,
): Promise<void> {
  const event = 'unlink'
  const facts = { requestId, at: clock(), event, outcome: 'unlinked' } as const
  const ended = await runTransaction(
    async stores => {
      const employee = await stores.accounts.unlink(linkId, accountId)
      if (!employee) return 'gone'
      await recordEntry(stores, facts, employee, accountId)
      await stores.sessions?.endLinked(linkId)
      return { partnerId: employee.partnerId, hasEndedSessions: stores.sessions !== undefined }
    },
    { isRepeatable: false },
  )
  if (ended === 'gone') {
    tell({ requestId, event, result: 'gone', partnerId: undefined })
    throw new LinkNotFoundError()
  }
  if (!ended.hasEndedSessions) await sessions.endLinked(linkId)
  tell({ requestId, event, result: 'unlinked', partnerId: ended.partnerId })
}
