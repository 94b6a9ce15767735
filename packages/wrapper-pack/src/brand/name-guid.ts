import { createHash } from 'node:crypto'

/**
 * Makes a name-based UUID (version 5, RFC 9562). It depends on its two inputs alone.
 *
 * @returns a GUID in upper case, without braces
 */
export function nameGuid(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll(/[{}-]/g, ''), 'hex'))
    .update(name, 'utf8')
    .digest()
    .subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes
    .toString('hex')
    .toUpperCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A random GUID. It must never change: installers would not find former versions. */
const namespace = '7C6A1F0E-5B0D-4C0B-9A55-D6F1C3E2B784'

/**
 * Makes the identity of an application's installers of all versions. It follows from vendor and application without regard to
 * case, as in folders and registry of Windows, so neither may change.
 *
 * @returns a GUID in upper case, without braces
 */
export function upgradeCode(vendor: string, application: string): string {
  return nameGuid(namespace, `${vendor}\\${application}`.toLowerCase())
}
