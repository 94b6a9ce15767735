import { assertParameter } from '@service-link/protocol-core'
import { comparableSsn } from './identity-number.ts'

/** What tells two people apart whose identifiers are the same. */
export interface PersonTraits {
  /** National identity number, as it was sent or kept. */
  readonly ssn?: string | null | undefined
  /** `YYYY-MM-DD` */
  readonly dateOfBirth?: string | null | undefined
}

/**
 * Whether the person that is sent cannot be the one that is known: both have an identity number, or both have a date of
 * birth, and they differ. A contact book that found a contact by its CustomId must not put it in focus then, nor write
 * to it: another partner, or another patient of the same one, may have got the same CustomId.
 *
 * Numbers are compared without white space and punctuation; one without a digit counts as none.
 *
 * @example
 * ```ts
 * import { contradicts } from '@service-link/jwt-payload/receiver'
 *
 * contradicts({ dateOfBirth: '1979-05-12' }, { dateOfBirth: '1997-05-12' }) // true
 * ```
 */
export function contradicts(sent: PersonTraits, known: PersonTraits): boolean {
  assertParameter('sent', sent, 'object')
  assertParameter('known', known, 'object')
  return (
    differ(comparableSsn(sent.ssn ?? ''), comparableSsn(known.ssn ?? '')) ||
    differ(sent.dateOfBirth || undefined, known.dateOfBirth || undefined)
  )
}

const differ = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b
