import type { PersonFieldName } from '@service-link/protocol-core'

/** How the command line spells a person (specification 4.3; design: person, one model). */
export const personArguments = [
  { field: 'customId', name: 'id', isRequired: true },
  { field: 'firstname', name: 'firstname', isRequired: true },
  { field: 'lastname', name: 'lastname', isRequired: true },
  { field: 'dateOfBirth', name: 'dateofbirth', isRequired: true },
  { field: 'email', name: 'email' },
  { field: 'mobile', name: 'mobile' },
  { field: 'phoneHome', name: 'phonehome' },
  { field: 'phoneWork', name: 'phonework' },
  { field: 'address', name: 'address' },
  { field: 'zipcode', name: 'zipcode' },
  { field: 'location', name: 'location' },
  { field: 'country', name: 'country' },
  { field: 'gender', name: 'gender' },
] as const satisfies readonly PersonFieldName[]

/** Arguments that say how the launch is taken, whichever provider reads the rest. */
export const launchArgumentNames = ['provider', 'payload', 'wait'] as const

/** Arguments that the command-line provider turns into commands. */
export const commandArgumentNames = [
  ...personArguments.map(({ name }) => name),
  'queryworkouts',
  'queryexercises',
  'openworkout',
] as const
