import { assertParameter } from '@service-link/protocol-core/errors'
import type { Person } from '@service-link/protocol-core/person'

/**
 * Brings a national identity number into a form for comparison: in capitals, without white space, hyphens, dots and slashes.
 * A plus sign stays: in Sweden and Finland it tells a century.
 *
 * @param text as sent, typed or issued
 * @returns `undefined` for a text with fewer than 6 digits, over 32 characters, or other characters
 * @example
 * ```ts
 * import { normalizeIdentityNumber } from '@service-link/jwt-payload/receiver'
 *
 * normalizeIdentityNumber('131052-308t') // '131052308T'
 * ```
 */
export function normalizeIdentityNumber(text: string): string | undefined {
  assertParameter('text', text, 'text')
  if (text.length > 128) return undefined
  const bare = text
    .normalize('NFKC')
    .replaceAll(/[\s\p{Dash_Punctuation}./]/gu, '')
    .toUpperCase()
  const digits = bare.replaceAll(/\D/g, '').length
  return /^[0-9A-Z+]{6,32}$/.test(bare) && digits >= 6 ? bare : undefined
}

/**
 * Makes the comparable form of a contact's `ssn`: the normalized number, or the text itself if it cannot be a number.
 *
 * @returns `undefined` for a text without a digit, such as `unknown`
 */
export function comparableSsn(ssn: string): string | undefined {
  assertParameter('ssn', ssn, 'text')
  return normalizeIdentityNumber(ssn) ?? (/\d/.test(ssn) ? ssn : undefined)
}

/** Facts that tell two people with the same identifier apart. */
export interface PersonTraits {
  readonly firstname?: string | null | undefined
  readonly lastname?: string | null | undefined
  /** National identity number, as sent or kept. */
  readonly ssn?: string | null | undefined
  /** `YYYY-MM-DD` */
  readonly dateOfBirth?: string | null | undefined
}

/**
 * Whether the person that is sent cannot be the known one: both have a first name, a last name, an identity number or a date
 * of birth, and the two differ. A contact book must then neither put the contact in focus nor write to it.
 *
 * Names are compared without regard to case, white space and Unicode composition, numbers as {@link comparableSsn} makes them.
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
  // Lower, then upper case: `ẞ`, `ß` and `SS` become one, and so do the two small letters sigma.
  const folded = name.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC')
  return folded.replaceAll(/\s+/gu, ' ').trim() || undefined
}

/** A contact of the service, as {@link matchContact} reads it. */
export interface KnownContact {
  readonly person: Person
  /** The ids that partners have for it. Default: none; the partner of `person.customId` is then not known. */
  readonly customIds?: readonly { readonly partnerId: string; readonly customId: string }[]
}

/** What a contact book does with a person. */
export type ContactDecision<Known> =
  | { readonly kind: 'choose'; readonly contacts: readonly Known[] }
  /** Keep `person` and `customIds` in `known`, or in a new contact. */
  | ({ readonly kind: 'selected'; readonly known: Known } & Required<KnownContact>)
  | ({ readonly kind: 'created'; readonly known?: undefined } & Required<KnownContact>)

/**
 * Decides by the rules of `ContactBook.put`, and writes nothing.
 *
 * @param partnerId the partner that sent the person
 * @param contacts of the account's organization: all, or those with the `customId` or the identity number of the person
 * @example
 * ```ts
 * import { matchContact } from '@service-link/jwt-payload/receiver'
 *
 * const decision = matchContact({ customId: '4711' }, 'journal', contacts)
 * ```
 */
export function matchContact<Known extends KnownContact>(
  person: Person,
  partnerId: string,
  contacts: readonly Known[],
): ContactDecision<Known> {
  assertParameter('person', person, 'object')
  assertParameter('partnerId', partnerId, 'text')
  assertParameter('contacts', contacts, 'list')
  const { customId } = person
  const number = comparableSsn(person.ssn ?? '')
  const byCustomId = contacts.filter(({ customIds = [] }) =>
    customIds.some(known => known.partnerId === partnerId && known.customId === customId),
  )
  const bySsn = contacts.filter(
    ({ person: known }) => number !== undefined && comparableSsn(known.ssn ?? '') === number,
  )
  const byName = contacts.filter(
    ({ person: known, customIds = [] }) =>
      customId !== undefined &&
      known.customId === customId &&
      !customIds.some(taken => taken.customId === customId) &&
      hasSameName(person, known),
  )
  const found = [byCustomId, bySsn, byName].find(({ length }) => length > 0) ?? []
  const [known, ...others] = found
  const sentIds = customId === undefined ? [] : [{ partnerId, customId }]
  if (!known) return { kind: 'created', person, customIds: sentIds }
  if (others.length > 0) return { kind: 'choose', contacts: found }
  if (contradicts(person, known.person))
    return { kind: 'choose', contacts: Array.from(new Set([known, ...bySsn])) }
  const customIds = [...(known.customIds ?? []), ...(known === byCustomId[0] ? [] : sentIds)]
  return { kind: 'selected', known, person: { ...person, ...known.person }, customIds }
}
