import { createHash } from 'node:crypto'

/** What tells one wrapper from another: there is one for each combination of all four. */
export interface InstanceIdentity {
  /** The operating system's user: numeric id on POSIX, domain and name on Windows. */
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
 * keeps instances apart, it does not keep anybody out.
 */
export function instanceName(identity: InstanceIdentity): string {
  const parts = [identity.user, identity.loginSession, identity.application, identity.userFolder]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
