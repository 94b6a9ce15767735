import { findNearName, isObject } from '@service-link/protocol-core/errors'
import { claimNamesOf, fieldSynonyms } from '@service-link/protocol-core/person'
import type { JsonObject } from '../verify/read-token.ts'

/** Names that senders give instead of the specification's: lower case, without `_` and `-`. */
export const claimSynonyms = {
  payload: namesFor({
    organizationId: ['clinicid', 'companyid', 'orgid'],
    organizationName: ['clinicname', 'orgname'],
    employeeId: ['staffid', 'userid'],
    employeeUsername: ['username', 'employeelogin'],
    employeeEmail: ['employeeemailaddress'],
    employeeLastname: ['employeesurname'],
    contact: ['client', 'customer', 'patient', 'person', 'user'],
  }),
  contact: fieldSynonyms('contact'),
}

function namesFor(synonyms: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(synonyms).flatMap(([meant, all]) => all.map(one => [one, meant])))
}

/** A claim that the specification does not name, and the claim that was probably meant. */
export interface NearClaim {
  /** As given: `firstName`, or `contact.firstName`. */
  readonly given: string
  /** As the specification spells it: `contact.firstname`. */
  readonly meant: string
}

/** Finds claims whose names are nearly those of the specification. Ignores one whose meant claim is there, too. */
export function findNearClaims(claims: JsonObject): readonly NearClaim[] {
  const { contact } = claims
  return [
    ...nearMembers(claims, 'payload', ''),
    ...(isObject(contact) ? nearMembers(contact, 'contact', 'contact.') : []),
  ]
}

function nearMembers(claims: JsonObject, owner: keyof typeof claimSynonyms, place: string): NearClaim[] {
  const known = claimNamesOf(owner)
  return Object.keys(claims)
    .filter(name => !known.includes(name))
    .flatMap(name => {
      const meant = findNearName(name, known, claimSynonyms[owner])
      return meant === undefined || Object.hasOwn(claims, meant)
        ? []
        : [{ given: `${place}${name}`, meant: `${place}${meant}` }]
    })
}
