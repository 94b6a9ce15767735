import type { FocusedPerson } from '../../client/wrapper-client.ts'

/** A person under the names of the wire, which all answers of `service-pipe` have. */
export function personAsSent({ userId, customId, firstname, lastname }: FocusedPerson) {
  return { userid: userId, customid: customId, firstname, lastname }
}
