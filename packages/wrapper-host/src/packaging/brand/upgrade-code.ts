import { createHash } from 'node:crypto'

/** Namespace of these identities, a random GUID. It never changes: installers would no longer find what they replace. */
const namespace = Buffer.from('7c6a1f0e5b0d4c0b9a55d6f1c3e2b784', 'hex')

/**
 * Identity of the installer of an application over all its versions: a name-based UUID (version 5, RFC 9562) of vendor and
 * application, which therefore must not change either.
 *
 * @returns a GUID in upper case, without braces
 * @example
 * ```ts
 * upgradeCode('Service', 'Service.Client.WebWrapper')
 * ```
 */
export function upgradeCode(vendor: string, application: string): string {
  const bytes = createHash('sha1')
    .update(namespace)
    .update(`${vendor}\\${application}`, 'utf8')
    .digest()
    .subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = bytes.toString('hex').toUpperCase()
  return [0, 8, 12, 16, 20].map((start, index, all) => digits.slice(start, all[index + 1])).join('-')
}
