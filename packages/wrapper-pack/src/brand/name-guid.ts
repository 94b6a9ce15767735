import { createHash } from 'node:crypto'

/**
 * A name-based UUID (version 5, RFC 9562): the same for the same two, on every machine and in every build.
 *
 * @param namespace a GUID
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

/** A random GUID. It never changes: installers would no longer find what they replace. */
const namespace = '7C6A1F0E-5B0D-4C0B-9A55-D6F1C3E2B784'

/**
 * Identity of the installer of an application over all its versions. It follows from vendor and application, which therefore must
 * not change either, but for their case, which folders and registry of Windows do not tell apart.
 *
 * @returns a GUID in upper case, without braces
 */
export function upgradeCode(vendor: string, application: string): string {
  return nameGuid(namespace, `${vendor}\\${application}`.toLowerCase())
}
