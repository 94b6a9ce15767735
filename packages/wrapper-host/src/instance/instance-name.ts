/** What tells one wrapper from another: there is one for each combination of all four. */
export interface InstanceIdentity {
  /** The operating system's user: numeric id and machine on POSIX, folder of the profile and name on Windows. */
  readonly user: string
  /** Login session of that user; two sessions on a terminal server each have a wrapper. Empty where there is none. */
  readonly loginSession: string
  /** The brand's application name. */
  readonly application: string
  /** Absolute path of the per-user folder. */
  readonly userFolder: string
}

/**
 * Name of an instance: 32 hexadecimal digits that depend on all four parts of its identity. A name and no secret: it
 * keeps instances apart, it does not keep anybody out, and is never an address that anybody could sit at before its wrapper does.
 */
export function instanceName(identity: InstanceIdentity): string {
  const parts = [identity.user, identity.loginSession, identity.application, identity.userFolder]
  return fingerprint(JSON.stringify(parts))
}

const offsetBasis = 0x6c62272e07bb014262b821756295c58dn
const prime = (1n << 88n) + 0x13bn

/**
 * FNV-1a with 128 bits over UTF-8, as 32 hexadecimal digits. Loading `node:crypto` for a cryptographic hash would cost a
 * second start more than all the rest of its work, and a name needs none.
 */
export function fingerprint(text: string): string {
  let hash = offsetBasis
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * prime)
  return hash.toString(16).padStart(32, '0')
}
