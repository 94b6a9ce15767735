import type { Person } from '@service-link/protocol-core'
import { contradicts } from '../contradicts.ts'
import { comparableSsn } from '../identity-number.ts'
import type { ContactBook, ContactCandidate } from '../ports/contacts.ts'
import type { OrganizationKey } from '../ports/delivery.ts'
import type { JournaledMap } from './journaled-map.ts'

/** A contact as the memory keeps it. */
export interface MemoryContact {
  readonly contactId: string
  readonly organization: OrganizationKey
  readonly person: Person
}

/**
 * Contacts in memory, by the rules of the port: (organization, `customId`), then (organization, `ssn`); data sent fill what
 * is empty; several that fit, and one that contradicts what is sent, are left to the user.
 */
export function createMemoryContactBook(contacts: JournaledMap<string, MemoryContact>): ContactBook {
  const findBy = (
    organization: OrganizationKey,
    person: Person,
    identifierOf: (person: Person) => string | undefined,
  ): readonly MemoryContact[] => {
    const identifier = identifierOf(person)
    if (identifier === undefined) return []
    return Array.from(contacts.values()).filter(
      contact => isSame(contact.organization, organization) && identifierOf(contact.person) === identifier,
    )
  }
  return {
    put: async (organization, person) => {
      const byCustomId = findBy(organization, person, ({ customId }) => customId)
      const bySsn = findBy(organization, person, ({ ssn = '' }) => comparableSsn(ssn))
      const found = byCustomId.length > 0 ? byCustomId : bySsn
      const [first, ...others] = found
      if (!first) {
        const contactId = crypto.randomUUID()
        contacts.set(contactId, { contactId, organization, person })
        return { kind: 'created', contactId }
      }
      if (others.length > 0) return { kind: 'choose', candidates: found.map(candidateOf) }
      if (contradicts(person, first.person))
        return { kind: 'choose', candidates: Array.from(new Set([first, ...bySsn]), candidateOf) }
      contacts.set(first.contactId, { ...first, person: { ...person, ...first.person } })
      return { kind: 'selected', contactId: first.contactId }
    },
  }
}

function candidateOf({ contactId, person }: MemoryContact): ContactCandidate {
  const { firstname, lastname, dateOfBirth } = person
  return {
    contactId,
    ...(firstname === undefined ? {} : { firstname }),
    ...(lastname === undefined ? {} : { lastname }),
    ...(dateOfBirth === undefined ? {} : { dateOfBirth }),
  }
}

function isSame(a: OrganizationKey, b: OrganizationKey): boolean {
  return a.partnerId === b.partnerId && a.organizationId === b.organizationId
}
