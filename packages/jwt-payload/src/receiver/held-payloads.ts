import { answerPage } from './answers.ts'
import { type Applied, applyOrHold, isHandle, putContact } from './apply-delivery.ts'
import { type AuditFacts, digestOf, employeeEntry, type Reporter, type RequestContext } from './audit.ts'
import type { Delivery, HoldPurpose, ReceiverStores } from './ports.ts'
import {
  EmployeeLinkedError,
  LinkGoneError,
  MethodNotAllowedError,
  OrganizationBoundError,
  PendingGoneError,
  ReceiverOptionError,
} from './receiver-errors.ts'
import type { ReceiverSettings } from './receiver-options.ts'

/**
 * Answers the opening of a one-time URL.
 *
 * @throws {MethodNotAllowedError} unless it is a GET: a HEAD does not use the URL up
 * @throws {LinkGoneError} if it was opened before, has expired or never existed, or its partner is inactive
 * @throws what a store throws
 */
export async function openLink(
  request: Request,
  context: RequestContext,
  settings: ReceiverSettings,
  { tell }: Reporter,
): Promise<Response> {
  const { sessions, runTransaction, clock } = settings
  if (request.method !== 'GET') throw new MethodNotAllowedError('GET')
  const handle = new URL(request.url).pathname.split('/').at(-1) ?? ''
  if (!isHandle(handle)) throw new LinkGoneError()
  const handleDigest = await digestOf(handle)
  const before = request.headers.has('cookie') ? await sessions.current(request) : undefined
  const at = clock()
  const result = await runTransaction(
    async stores => {
      const delivery = await takeHeld(stores, 'open', handleDigest, at, settings)
      return delivery && applyOrHold(stores, delivery, { request, event: 'open', at }, settings)
    },
    // A second run would not find the delivery.
    { isRepeatable: false },
  )
  if (!result) throw new LinkGoneError()
  const { partner, employee, requestId } = result.delivery
  context.partner = partner
  context.employee = employee
  context.isTaken = true
  const { response, outcome } = await answerPage(result, request, before, settings)
  tell({ requestId, event: context.event, result: outcome.kind, partnerId: partner.id })
  return response
}

/** See `Receiver.completePending`. */
export async function completePending(
  handle: string,
  accountId: string,
  settings: ReceiverSettings,
  { tell }: Reporter,
): Promise<Applied> {
  const { runTransaction, clock } = settings
  const handleDigest = await digestOf(handle)
  const at = clock()
  const result = await runTransaction(
    async stores => {
      const delivery = await takeHeld(stores, 'log-in', handleDigest, at, settings)
      return delivery ? linkAndApply(stores, delivery, accountId, at) : 'gone'
    },
    { isRepeatable: false },
  )
  if (typeof result === 'object') {
    const { requestId, partner } = result.delivery
    tell({ requestId, event: 'log-in', result: 'linked', partnerId: partner.id })
    return result
  }
  tell({ requestId: crypto.randomUUID(), event: 'log-in', result, partnerId: undefined })
  if (result === 'gone') throw new PendingGoneError()
  throw result === 'linked-elsewhere' ? new EmployeeLinkedError() : new OrganizationBoundError()
}

/** Takes a delivery out. The delivery is lost if its partner was removed or made inactive since. */
async function takeHeld(
  { held }: ReceiverStores,
  purpose: HoldPurpose,
  handleDigest: string,
  at: Date,
  { partners }: ReceiverSettings,
): Promise<Delivery | undefined> {
  const delivery = await held.take(purpose, handleDigest, at)
  return delivery && (await partners.get(delivery.partner.id))?.isActive ? delivery : undefined
}

async function linkAndApply(
  stores: ReceiverStores,
  delivery: Delivery,
  accountId: string,
  at: Date,
): Promise<Applied | 'linked-elsewhere' | 'organization-bound'> {
  const { employee, requestId } = delivery
  const account = await stores.accounts.link(employee, accountId)
  if (!account) throw new ReceiverOptionError('There is no account of the id that was given.')
  const record = async <Outcome extends AuditFacts['outcome']>(outcome: Outcome): Promise<Outcome> => {
    const facts: AuditFacts = { requestId, at, event: 'log-in', outcome }
    await stores.audit.record(await employeeEntry(facts, employee, accountId))
    return outcome
  }
  if (account === 'other-organization') return record('organization-bound')
  if (account.id !== accountId) return record('linked-elsewhere')
  await record('linked')
  return { kind: 'applied', delivery, account, contact: await putContact(stores, delivery, account.id) }
}
