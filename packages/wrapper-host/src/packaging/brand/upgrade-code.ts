import { nameGuid } from '../name-guid.ts'

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
