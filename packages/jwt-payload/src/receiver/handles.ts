import { assertParameter } from '@service-link/protocol-core'
import { base64url } from 'jose'
import type { EmployeeKey, Hold } from './ports.ts'

const handleBytes = 32
const encoder = new TextEncoder()

/** A place where a delivery waits, with its handle of 256 random bits, base64url. Only the visitor gets the handle. */
interface HandledHold {
  readonly handle: string
  readonly hold: Hold
}

/** Makes a place that is free for some seconds from now. */
export async function createHold(seconds: number, clock: () => Date): Promise<HandledHold> {
  const handle = base64url.encode(crypto.getRandomValues(new Uint8Array(handleBytes)))
  const expiresAt = new Date(clock().getTime() + seconds * 1000)
  return { handle, hold: { handleDigest: await digestOf(handle), expiresAt } }
}

/** Whether a text has the form of a handle. */
export function isHandle(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** SHA-256 of a text, base64url. */
export async function digestOf(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
}

/**
 * Names an employee without the partner's id of the person: SHA-256, base64url, of the JSON of
 * `[partnerId, organizationId, employeeId]`. 43 characters. A pseudonym, not anonymous: anybody who knows the three ids can
 * compute it. It stands in the audit log, and is the id of the employee's link.
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

/**
 * Makes a Content-Security-Policy nonce of two UUIDs, 244 random bits. Runtimes make UUIDs in batches; 16 random bytes for
 * each post take longer than all its headers.
 */
export function createNonce(): string {
  return `${crypto.randomUUID()}${crypto.randomUUID()}`
}
