import { assertParameter } from '@service-link/protocol-core'
import { digestOf } from '../handles.ts'
import type { EmployeeKey } from '../ports/delivery.ts'

/**
 * Names an employee without writing the partner's id of the person down: SHA-256, base64url, of the JSON of
 * `[partnerId, organizationId, employeeId]`. 43 characters. A pseudonym: who knows the three ids, or tries them all, can tell
 * whose it is. In the audit log, and as the id of the employee's link.
 */
export async function employeeDigestOf(employee: EmployeeKey): Promise<string> {
  assertParameter('employee', employee, 'object', {
    partnerId: 'text',
    organizationId: 'text',
    employeeId: 'text',
  })
  const { partnerId, organizationId, employeeId } = employee
  return digestOf(JSON.stringify([partnerId, organizationId, employeeId]))
}
