import type { PersonFieldName } from '@service-link/protocol-core'

/** How the XML file spells a person (specification 4.4; design: person, one model). */
export const personElements = [
  { field: 'customId', name: 'source_customerno', isRequired: true },
  { field: 'firstname', name: 'firstname', isRequired: true },
  { field: 'lastname', name: 'lastname', isRequired: true },
  { field: 'dateOfBirth', name: 'born', isRequired: true },
  { field: 'email', name: 'email' },
  { field: 'mobile', name: 'mobile' },
  { field: 'phoneHome', name: 'phone_home' },
  { field: 'phoneWork', name: 'phone_work' },
  { field: 'address', name: 'address' },
  { field: 'zipcode', name: 'postalcode' },
  { field: 'location', name: 'place' },
  { field: 'country', name: 'country' },
  { field: 'source', name: 'source' },
] as const satisfies readonly PersonFieldName[]
