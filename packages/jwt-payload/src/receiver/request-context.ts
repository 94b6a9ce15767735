import type { VisitEvent } from './ports/audit.ts'
import type { EmployeeKey } from './ports/delivery.ts'
import type { DeliveryPartner } from './ports/partners.ts'

/** What is known of a request so far; filled in on its way. */
export interface RequestContext {
  readonly requestId: string
  readonly event: Extract<VisitEvent, 'post' | 'open'>
  /** The partner, once its signature was verified. */
  partner: DeliveryPartner | undefined
  /** What the partner signed, once that was verified. */
  signed: string | undefined
  /** What the signed token says of its employee, acceptable or not. */
  employee: Partial<EmployeeKey>
  /** Whether the effects have taken place, so that nothing that fails afterwards takes the payload back. */
  isTaken: boolean
}

/** The context of a request that comes in. */
export function createRequestContext(event: RequestContext['event']): RequestContext {
  return {
    requestId: crypto.randomUUID(),
    event,
    partner: undefined,
    signed: undefined,
    employee: {},
    isTaken: false,
  }
}
