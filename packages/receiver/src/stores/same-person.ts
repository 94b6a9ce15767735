import { assertParameter } from '@service-link/protocol-core/errors'
import {
  areWrittenAlike,
  comparableName,
  compareIdentityNumbers,
  type Person,
} from '@service-link/protocol-core/person'

/** Facts that tell two people with the same identifier apart. */
export interface PersonTraits {
  readonly firstname?: string | null | undefined
  readonly lastname?: string | null | undefined
  /** National identity number, as sent or kept. */
  readonly ssn?: string | null | undefined
  /** `YYYY-MM-DD` */
  readonly dateOfBirth?: string | null | undefined
}

/** What two people with the same identifier may differ in. */
export type PersonTrait = keyof PersonTraits

/**
 * Finds the traits in which the person that is sent contradicts the known one: both have the trait, and the two differ. If there
 * is any, it cannot be the same person: a contact book must then neither put the contact in focus nor write to it.
 *
 * Names are compared without regard to case, white space, Unicode composition and typographic twins (`O'Brien` and `O’Brien`),
 * numbers in all spellings of their country. If a number's country or century cannot be told, the persons contradict: the user must
 * choose. Not so for a number that is written alike if both have the same date of birth, neither has one, or both have the same names.
 *
 * @example
 * ```ts
 * import { findContradictions } from '@service-link/receiver'
 *
 * findContradictions({ lastname: 'Berg' }, { lastname: 'BERG', dateOfBirth: '1979-05-12' }) // []
 * findContradictions({ dateOfBirth: '1979-05-12' }, { dateOfBirth: '1997-05-12' }) // ['dateOfBirth']
 * ```
 */
export function findContradictions(sent: PersonTraits, known: PersonTraits): readonly PersonTrait[] {
  assertParameter('sent', sent, 'object')
  assertParameter('known', known, 'object')
  const found: PersonTrait[] = nameFields.filter(field => differ(nameOf(sent, field), nameOf(known, field)))
  if (differ(sent.dateOfBirth || undefined, known.dateOfBirth || undefined)) found.push('dateOfBirth')
  if (!['same', undefined].includes(compareNumbers(sent, known))) found.push('ssn')
  return found
}

/** Whether both have a first and a last name, and these are the same as {@link findContradictions} compares them. */
export function hasSameName(sent: PersonTraits, known: PersonTraits): boolean {
  assertParameter('sent', sent, 'object')
  assertParameter('known', known, 'object')
  return nameFields.every(field => {
    const name = nameOf(sent, field)
    return name !== undefined && name === nameOf(known, field)
  })
}

function compareNumbers(sent: PersonTraits, known: PersonTraits): ReturnType<typeof compareIdentityNumbers> {
  const compared = compareIdentityNumbers(sent, known)
  const isAlike =
    compared === 'unknown' &&
    areWrittenAlike(sent.ssn ?? '', known.ssn ?? '') &&
    ((sent.dateOfBirth || undefined) === (known.dateOfBirth || undefined) || hasSameName(sent, known))
  return isAlike ? 'same' : compared
}

const nameFields = ['firstname', 'lastname'] as const

const differ = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b

function nameOf(traits: PersonTraits, field: (typeof nameFields)[number]): string | undefined {
  const name = traits[field] ?? ''
  assertParameter(field, name, 'text')
  return comparableName(name) || undefined
}

/** A contact of the service, as {@link matchContact} reads it. */
export interface KnownContact {
  readonly person: Person
  /** The ids that partners have for it. Default: none; the partner of `person.customId` is then not known. */
  readonly customIds?: readonly { readonly partnerId: string; readonly customId: string }[] | undefined
}

/** A contact with its ids. */
export type KeptContact = { readonly [Name in keyof KnownContact]-?: NonNullable<KnownContact[Name]> }

/** What a contact book does with a person. */
export type ContactDecision<Known> =
  /** The contact that contradicts least comes first. */
  | { readonly kind: 'choose'; readonly contacts: readonly Known[] }
  /** Keep `person` and `customIds` in `known`, or in a new contact. */
  | ({ readonly kind: 'selected'; readonly known: Known } & KeptContact)
  | ({ readonly kind: 'created'; readonly known?: undefined } & KeptContact)

/**
 * Decides by the rules of `ContactBook.put`, and writes nothing.
 *
 * @param partnerId the partner that sent the person; `undefined`: a wrapper, which names no partner, so that the `customId` of any counts
 * @param contacts of the account's organization: all, or those with the `customId` or the identity number (`comparableSsn`) of the person
 * @example
 * ```ts
 * import { matchContact } from '@service-link/receiver'
 *
 * const decision = matchContact({ customId: '4711' }, 'journal', contacts)
 * ```
 */
export function matchContact<Known extends KnownContact>(
  person: Person,
  partnerId: string | undefined,
  contacts: readonly Known[],
): ContactDecision<Known> {
  assertParameter('person', person, 'object')
  assertParameter('partnerId', partnerId, 'text?')
  assertParameter('contacts', contacts, 'list')
  const { customId } = person
  const byCustomId = contacts.filter(
    ({ person: known, customIds = [] }) =>
      customId !== undefined &&
      (customIds.some(
        id => id.customId === customId && (id.partnerId === partnerId || partnerId === undefined),
      ) ||
        (partnerId === undefined && known.customId === customId)),
  )
  const compared = contacts.map(contact => compareNumbers(person, contact.person))
  const sameNumber = contacts.filter((_, index) => compared[index] === 'same')
  // If nobody can tell the country or the century, the user chooses: such a contact contradicts.
  const bySsn =
    sameNumber.length > 0 ? sameNumber : contacts.filter((_, index) => compared[index] === 'unknown')
  const byName = contacts.filter(
    ({ person: known, customIds = [] }) =>
      customId !== undefined &&
      known.customId === customId &&
      !customIds.some(taken => taken.customId === customId) &&
      hasSameName(person, known),
  )
  const found = [byCustomId, bySsn, byName].find(({ length }) => length > 0) ?? []
  const [known, ...others] = found
  const sentIds = customId === undefined || partnerId === undefined ? [] : [{ partnerId, customId }]
  if (!known) return { kind: 'created', person, customIds: sentIds }
  if (others.length > 0) return { kind: 'choose', contacts: closestFirst(person, found) }
  if (findContradictions(person, known.person).length > 0)
    return { kind: 'choose', contacts: closestFirst(person, Array.from(new Set([known, ...bySsn]))) }
  const customIds = [...(known.customIds ?? []), ...(known === byCustomId[0] ? [] : sentIds)]
  return { kind: 'selected', known, person: { ...person, ...known.person }, customIds }
}

/** The contact that contradicts least comes first. */
function closestFirst<Known extends KnownContact>(person: Person, contacts: readonly Known[]): Known[] {
  const count = (contact: Known) => findContradictions(person, contact.person).length
  return contacts.toSorted((one, other) => count(one) - count(other))
}
