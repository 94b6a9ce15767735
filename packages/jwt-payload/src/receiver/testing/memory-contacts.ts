import type { Person } from '@service-link/protocol-core'
import type { Account, ContactBook, ContactCandidate } from '../ports.ts'
import { comparableSsn, contradicts, hasSameName } from '../same-person.ts'

/** A contact in memory. */
export interface MemoryContact {
  readonly contactId: string
  /** The service's organization of the contact. */
  readonly organizationId?: string | undefined
  readonly person: Person
  /** The ids that partners have for it. Default: none; the partner of `person.customId` is then not known. */
  readonly customIds?: readonly { readonly partnerId: string; readonly customId: string }[]
}

/** A contact book in memory, by the rules of {@link ContactBook}. */
export function createMemoryContactBook(
  contacts: Map<string, MemoryContact>,
  accounts: ReadonlyMap<string, Account>,
): ContactBook {
  return {
    put: async ({ partnerId }, person, { accountId }) => {
      const organizationId = accounts.get(accountId)?.organizationId
      const { customId } = person
      const number = comparableSsn(person.ssn ?? '')
      const find = (isMeant: (contact: MemoryContact) => boolean) =>
        Array.from(contacts.values()).filter(
          contact => contact.organizationId === organizationId && isMeant(contact),
        )
      const byCustomId = find(({ customIds = [] }) =>
        customIds.some(known => known.partnerId === partnerId && known.customId === customId),
      )
      const bySsn = find(known => number !== undefined && comparableSsn(known.person.ssn ?? '') === number)
      const byName = find(
        ({ person: known, customIds = [] }) =>
          customId !== undefined &&
          known.customId === customId &&
          !customIds.some(taken => taken.customId === customId) &&
          hasSameName(person, known),
      )
      const found = [byCustomId, bySsn, byName].find(({ length }) => length > 0) ?? []
      const [first, ...others] = found
      const customIds = customId === undefined ? [] : [{ partnerId, customId }]
      if (!first) {
        const contactId = crypto.randomUUID()
        contacts.set(contactId, { contactId, organizationId, person, customIds })
        return { kind: 'created', contactId }
      }
      if (others.length > 0) return { kind: 'choose', candidates: found.map(candidateOf) }
      if (contradicts(person, first.person))
        return { kind: 'choose', candidates: Array.from(new Set([first, ...bySsn]), candidateOf) }
      contacts.set(first.contactId, {
        ...first,
        person: { ...person, ...first.person },
        customIds: [...(first.customIds ?? []), ...(first === byCustomId[0] ? [] : customIds)],
      })
      return { kind: 'selected', contactId: first.contactId }
    },
  }
}

function candidateOf({ contactId, person }: MemoryContact): ContactCandidate {
  const { firstname, lastname, dateOfBirth } = person
  return { contactId, firstname, lastname, dateOfBirth }
}
