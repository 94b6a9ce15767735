import type { Payload, Person } from '@service-link/protocol-core'
import type { DeliveryPartner } from './partners.ts'

/** The organization of a partner; organization IDs of two partners have nothing to do with each other. */
export interface OrganizationKey {
  readonly partnerId: string
  readonly organizationId: string
}

/** Who is logged in to the partner's application; the triple identifies, all else is for showing and prefilling. */
export interface EmployeeKey extends OrganizationKey {
  readonly employeeId: string
}

/**
 * One verified payload on its way to its effects. A plain JSON value: a database may keep it as JSON text.
 * Personal data; keep it no longer than told.
 */
export interface Delivery {
  /** Id of the request that brought it; for logs. */
  readonly requestId: string
  readonly partner: DeliveryPartner
  readonly employee: EmployeeKey
  readonly person: Person
  readonly payload: Payload
}

/** A place where a delivery waits. The handle itself goes to the browser only; the store sees its digest. */
export interface Hold {
  /** SHA-256 of the handle, base64url. */
  readonly handleDigest: string
  readonly expiresAt: Date
}

/** What a held delivery waits for: a log-in (10 minutes), or its one-time URL being opened (60 seconds). */
export type HoldPurpose = 'log-in' | 'open'
