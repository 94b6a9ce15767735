import type { JsonValue } from '@service-link/wrapper-host'

/** As many users as the filter `customid` says: the size of a reply is chosen by the request. */
export function usersOf(args: JsonValue): JsonValue {
  const filter = typeof args === 'object' && args !== null && 'customid' in args ? args.customid : undefined
  return listUsers(Number(filter ?? 1))
}

/** That many users of about 100 bytes each. */
export function listUsers(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    customId: `person-${index + 1}`,
    firstname: 'Ada',
    lastname: `Lovelace ${index + 1}`,
    dateOfBirth: '1980-04-03',
  }))
}
