import { nodeDigests } from '@service-link/jwt-payload/steps'
import { assertParameter } from '@service-link/protocol-core/errors'
import * as base64url from 'jose/base64url'
import type { EmployeeKey } from './ports.ts'

const encoder = new TextEncoder()

/** SHA-256 of a text, base64url. */
export async function digestOf(text: string): Promise<string> {
  if (nodeDigests) return nodeDigests.hash('sha256', text, 'base64url')
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
}

/**
 * Makes a pseudonym of an employee: SHA-256 of the JSON of `[partnerId, organizationId, employeeId]`, base64url, 43
 * characters. It is not anonymous: anybody who knows the three ids can compute it. The audit log holds it, and it is the
 * id of the employee's link.
 */
export async function employeeDigestOf(employee: EmployeeKey): Promise<string> {
  assertParameter('employee', employee, 'closed', {
    partnerId: 'text',
    organizationId: 'text',
    employeeId: 'text',
  })
  const { partnerId, organizationId, employeeId } = employee
  return digestOf(JSON.stringify([partnerId, organizationId, employeeId]))
}
