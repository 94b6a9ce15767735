import type { PayloadInput } from '@service-link/protocol-core'

/** The address that the tokens of a run are for. */
export const audience = 'https://sso.example/partner/payload'

/** The partner that signs them. */
export const issuer = 'https://partner.example'

/** Every claim of specification 2.1. */
export const samplePayload: PayloadInput = {
  organizationId: '4d3a3f8e-6f0c-4f6c-9d3a-2b8a4f1c7e01',
  organizationName: 'Fjordklinikken',
  employeeId: '0b7f5c1e-9a52-4c44-8a53-0e9a7c2d1f02',
  employeeUsername: 'ada',
  employeeFirstname: 'Ada',
  employeeLastname: 'Lovelace',
  employeeEmail: 'ada@clinic.example',
  contact: {
    id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    birthdate: '1980-04-03',
    ssn: '03048012345',
    gender: 'male',
    firstname: 'Søren',
    middlename: '',
    lastname: 'van Dyk',
    mobile: '+4740000000',
    email: 'soren@example.com',
    diagnosis: 'M54.5',
  },
}
