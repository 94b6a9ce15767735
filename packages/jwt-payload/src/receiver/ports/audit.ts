import type { RefusalCode } from '../../errors/refusals.ts'

/** What was asked: a post, the opening of a one-time URL, the log-in that a payload waited for, or the end of a link. */
export type VisitEvent = 'post' | 'open' | 'log-in' | 'unlink'

/**
 * What became of it: the page of a signed-in user, the log-in page, a one-time URL; an employee linked to an account, one
 * who is linked to another account already, an organization that is bound to another one, a link that was ended; or the code of the refusal.
 */
export type AuditOutcome =
  | 'signed-in'
  | 'log-in'
  | 'link'
  | 'linked'
  | 'linked-elsewhere'
  | 'organization-bound'
  | 'unlinked'
  | RefusalCode

/** One line of the audit log: who did what, for which partner and organization. No name, token, ssn or contact. */
export interface AuditEntry {
  readonly at: Date
  /** Of the request that brought the payload, of the one that was refused, or of the one that ended the link. */
  readonly requestId: string
  readonly event: VisitEvent
  readonly outcome: AuditOutcome
  readonly partnerId: string
  /** As the partner writes it, at most 256 characters; `undefined` when a refused token did not say it. */
  readonly organizationId: string | undefined
  /** Who, once that is known. */
  readonly accountId: string | undefined
  /**
   * Who, while no account is known, and whenever a link begins or ends: SHA-256, base64url, of the JSON of
   * `[partnerId, organizationId, employeeId]`, so that the partner's id of the employee is not written down. A pseudonym, not anonymous: who knows the three can compute
   * it.
   */
  readonly employeeDigest: string | undefined
}

/** Keeps the audit log. */
export interface AuditLog {
  /**
   * Keeps an entry. A second one with the same `requestId`, `event`, `outcome` and `employeeDigest` is the same entry, from a
   * transaction that was run again, and is kept once.
   */
  record(entry: AuditEntry): Promise<void>
}
