import { digestOf } from '../handles.ts'
import type { Applied } from '../ports/effects.ts'
import { EmployeeLinkedError, OrganizationBoundError, PendingGoneError } from '../receiver-errors.ts'
import type { ReceiverSettings } from '../receiver-options.ts'
import type { Reporter } from '../report-result.ts'
import { isActivePartner } from './is-active-partner.ts'

/** See `Receiver.completePending`. */
export async function completePending(
  handle: string,
  accountId: string,
  { effects, partners, clock }: ReceiverSettings,
  { tell }: Reporter,
): Promise<Applied> {
  const result = await effects.complete({
    handleDigest: await digestOf(handle),
    isActive: isActivePartner(partners),
    accountId,
    now: clock(),
  })
  if (result.kind === 'applied') {
    const { requestId, partner } = result.delivery
    tell({ requestId, event: 'log-in', result: 'linked', partnerId: partner.id })
    return result
  }
  tell({ requestId: crypto.randomUUID(), event: 'log-in', result: result.kind, partnerId: undefined })
  if (result.kind === 'gone') throw new PendingGoneError()
  throw result.kind === 'linked-elsewhere' ? new EmployeeLinkedError() : new OrganizationBoundError()
}
