import { assertParameter } from '@service-link/protocol-core'
import { comparableSsn } from './identity-number.ts'

/** What tells two people apart whose identifiers are the same. */
export interface PersonTraits {
  readonly firstname?: string | null | undefined
  readonly lastname?: string | null | undefined
  /** National identity number, as it was sent or kept. */
  readonly ssn?: string | null | undefined
  /** `YYYY-MM-DD` */
  readonly dateOfBirth?: string | null | undefined
}

/**
 * Whether the person that is sent cannot be the one that is known: both have a first name, a last name, an identity number or
 * a date of birth, and the two differ. A contact book that found a contact must not put it in focus then, nor write to it:
 * another patient may have got the same identifier by mistake.
 *
 * Names are compared without regard to case, to how white space is written and to how Unicode composes a character. Numbers are
 * compared without white space and punctuation; one without a digit counts as none.
 *
 * @example
 * ```ts
 * import { contradicts } from '@service-link/jwt-payload/receiver'
 *
 * contradicts({ lastname: 'Berg' }, { lastname: 'BERG', dateOfBirth: '1979-05-12' }) // false
 * contradicts({ dateOfBirth: '1979-05-12' }, { dateOfBirth: '1997-05-12' }) // true
 * ```
 */
export function contradicts(sent: PersonTraits, known: PersonTraits): boolean {
  assertParameter('sent', sent, 'object')
  assertParameter('known', known, 'object')
  return (
    differ(comparableSsn(sent.ssn ?? ''), comparableSsn(known.ssn ?? '')) ||
    differ(sent.dateOfBirth || undefined, known.dateOfBirth || undefined) ||
    nameFields.some(field => differ(comparableName(sent, field), comparableName(known, field)))
  )
}

/** Whether both have a first and a last name, and these are the same as {@link contradicts} compares them. */
export function hasSameName(sent: PersonTraits, known: PersonTraits): boolean {
  assertParameter('sent', sent, 'object')
  assertParameter('known', known, 'object')
  return nameFields.every(field => {
    const name = comparableName(sent, field)
    return name !== undefined && name === comparableName(known, field)
  })
}

const nameFields = ['firstname', 'lastname'] as const

const differ = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b

function comparableName(traits: PersonTraits, field: (typeof nameFields)[number]): string | undefined {
  const name = traits[field] ?? ''
  assertParameter(field, name, 'text')
  // Both ways: `ẞ`, `ß` and `SS` are one, and so are the two small letters sigma.
  const folded = name.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC')
  return folded.replaceAll(/\s+/gu, ' ').trim() || undefined
}
