import type { PersonInFocus } from '@service-link/protocol-core'

/** The ids of a person, as far as they are known. */
export type PersonIds = Pick<PersonInFocus, 'userId' | 'customId'>

/** Whether two persons are known to differ: by the service's id if both have one, else by the partner's. */
export function isOtherPerson(one: PersonIds, other: PersonIds): boolean {
  if (one.userId && other.userId) return one.userId !== other.userId
  return Boolean(one.customId && other.customId) && one.customId !== other.customId
}
