import type { AuditEntry } from '../ports/audit.ts'
import type { EmployeeKey } from '../ports/delivery.ts'
import { employeeDigestOf } from './employee-digest.ts'

const maxOrganizationIdLength = 256

/** What an entry says besides who. */
export type AuditFacts = Pick<AuditEntry, 'at' | 'requestId' | 'event' | 'outcome'>

/** The entry of what a known account did. */
export function accountEntry(facts: AuditFacts, employee: EmployeeKey, accountId: string): AuditEntry {
  const { partnerId, organizationId } = employee
  return {
    ...facts,
    partnerId,
    organizationId: organizationId.slice(0, maxOrganizationIdLength),
    accountId,
    employeeDigest: undefined,
  }
}

/**
 * The entry of what an employee did whose account is not known, or whose link begins or ends.
 *
 * @param employee of a refused token perhaps without some of its parts
 */
export async function employeeEntry(
  facts: AuditFacts,
  employee: Pick<EmployeeKey, 'partnerId'> & Partial<EmployeeKey>,
  accountId?: string,
): Promise<AuditEntry> {
  const { partnerId, organizationId, employeeId } = employee
  const isWhole = organizationId !== undefined && employeeId !== undefined
  return {
    ...facts,
    partnerId,
    organizationId: organizationId?.slice(0, maxOrganizationIdLength),
    accountId,
    employeeDigest: isWhole ? await employeeDigestOf({ partnerId, organizationId, employeeId }) : undefined,
  }
}
