import { answerPage } from './answers.ts'
import { type Applied, applyOrHold, isHandle, putContact } from './apply-delivery.ts'
import { type AuditFacts, auditEntry, digestOf, type Reporter, type RequestContext } from './audit.ts'
import type { Delivery, HoldPurpose, ReceiverStores } from './ports.ts'
import {
  EmployeeLinkedError,
  MethodNotAllowedError,
  OrganizationBoundError,
  PendingGoneError,
  ReceiverOptionError,
  ReceiverRefusal,
} from './receiver-errors.ts'
import type { ReceiverSettings } from './receiver-options.ts'

/** Answers the opening of a one-time URL. A HEAD does not use the URL up. */
export async function openLink(
  request: Request,
  context: RequestContext,
  settings: ReceiverSettings,
  reporter: Reporter,
): Promise<Response> {
  if (request.method !== 'GET') throw new MethodNotAllowedError('GET')
  const handle = new URL(request.url).pathname.split('/').at(-1) ?? ''
  if (!isHandle(handle)) throw new ReceiverRefusal('ERR_LINK_GONE')
  const handleDigest = await digestOf(handle)
  const before = request.headers.has('cookie') ? await settings.sessions.current(request) : undefined
  const visit = await settings.runTransaction(
    async stores => {
      const delivery = await takeHeld(stores, 'open', handleDigest, settings)
      return delivery && applyOrHold(stores, delivery, request, 'open', settings)
    },
    // A second run would not find the delivery.
    { isRepeatable: false },
  )
  if (!visit) throw new ReceiverRefusal('ERR_LINK_GONE')
  context.partner = visit.delivery.partner
  context.employee = visit.delivery.employee
  return answerPage(visit, request, context, before, settings, reporter)
}

/** See `Receiver.completePending`. */
export async function completePending(
  handle: string,
  accountId: string,
  settings: ReceiverSettings,
  { tell }: Reporter,
): Promise<Applied> {
  const handleDigest = await digestOf(handle)
  const result = await settings.runTransaction(
    async stores => {
      const delivery = await takeHeld(stores, 'log-in', handleDigest, settings)
      return delivery ? linkAndApply(stores, delivery, accountId, settings.clock()) : 'gone'
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
  { partners, clock }: ReceiverSettings,
): Promise<Delivery | undefined> {
  const delivery = await held.take(purpose, handleDigest, clock())
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
    await stores.audit.record(await auditEntry(facts, employee, accountId))
    return outcome
  }
  if (account === 'other-organization') return record('organization-bound')
  if (account.id !== accountId) return record('linked-elsewhere')
  await record('linked')
  return { delivery, account, contact: await putContact(stores, delivery, account.id) }
}
