import { type ReceiverParts, type RequestFacts, recordEntry } from '../audit.ts'
import {
  EmployeeLinkedError,
  MethodNotAllowedError,
  OrganizationBoundError,
  PendingGoneError,
  ReceiverOptionError,
  ReceiverRefusal,
} from '../receiver-errors.ts'
import type { ReceiverSettings } from '../receiver-options.ts'
import { digestOf } from '../stores/digests.ts'
import type { AuditOutcome, Delivery, HoldPurpose, ReceiverStores } from '../stores/ports.ts'
import { answerOutcome } from './answer-outcome.ts'
import {
  type Applied,
  applyOrHold,
  assertAccount,
  currentAccount,
  isHandle,
  putContact,
} from './apply-delivery.ts'
import type { Visitor } from './headers.ts'

/** Answers the opening of a one-time URL. A HEAD does not use the URL up. */
export async function openLink(
  visitor: Visitor,
  facts: RequestFacts,
  parts: ReceiverParts,
): Promise<Response> {
  const { method, url } = visitor.request
  if (method !== 'GET') throw new MethodNotAllowedError('GET')
  const handle = new URL(url).pathname.split('/').at(-1) ?? ''
  if (!isHandle(handle)) throw new ReceiverRefusal('ERR_LINK_GONE')
  const handleDigest = await digestOf(handle)
  const before = await currentAccount(visitor, parts)
  const entered = await parts.runTransaction(
    async stores => {
      const delivery = await takeHeld(stores, 'open', handleDigest, parts)
      return delivery ? applyOrHold(stores, delivery, 'open', visitor, parts.clock) : 'gone'
    },
    // A second run would not find the delivery.
    { isRepeatable: false },
  )
  if (entered === 'gone') throw new ReceiverRefusal('ERR_LINK_GONE')
  return answerOutcome({ ...entered, before }, visitor, facts, parts)
}

export async function completePending(
  handle: string,
  accountId: string,
  parts: ReceiverParts,
): Promise<Applied> {
  const handleDigest = await digestOf(handle)
  const result = await parts.runTransaction(
    async stores => {
      const delivery = await takeHeld(stores, 'log-in', handleDigest, parts)
      return delivery ? linkAndApply(stores, delivery, accountId, parts.clock()) : 'gone'
    },
    { isRepeatable: false },
  )
  if (typeof result === 'object') {
    const { requestId, partner } = result.delivery
    parts.tell({ requestId, event: 'log-in', result: 'linked', partnerId: partner.id })
    return result
  }
  parts.tell({ requestId: crypto.randomUUID(), event: 'log-in', result, partnerId: undefined })
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
  const record = async <Outcome extends AuditOutcome>(outcome: Outcome): Promise<Outcome> => {
    await recordEntry(stores, { requestId, at, event: 'log-in', outcome }, employee, accountId)
    return outcome
  }
  if (account === 'other-organization') return record('organization-bound')
  assertAccount('accounts.link', account)
  if (account.id !== accountId) return record('linked-elsewhere')
  await record('linked')
  return { delivery, account, contact: await putContact(stores, delivery, account.id) }
}
