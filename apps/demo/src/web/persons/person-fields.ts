import type { PersonField } from '../../service/persons/person-row.ts'

/** What each field of a person is called, in the order in which people look for them. */
export const personFieldLabels = {
  firstname: 'First name',
  middlename: 'Middle name',
  lastname: 'Last name',
  dateOfBirth: 'Date of birth',
  gender: 'Gender',
  genderAsSent: 'Gender, as sent',
  customId: 'CustomId',
  ssn: 'National identity number',
  diagnosis: 'Diagnosis',
  email: 'E-mail',
  mobile: 'Mobile',
  phoneHome: 'Phone, home',
  phoneWork: 'Phone, work',
  address: 'Address',
  zipcode: 'Postal code',
  location: 'Place',
  country: 'Country',
  source: 'Comes from',
} as const satisfies Record<PersonField, string>

/** Every field, in that order. */
export const shownFields = Object.keys(personFieldLabels) as PersonField[]

/** Fields that an employee may change; gender has a choice of its own. */
export const editedFields = [
  'firstname',
  'middlename',
  'lastname',
  'dateOfBirth',
  'customId',
  'ssn',
  'diagnosis',
  'email',
  'mobile',
  'phoneHome',
  'phoneWork',
  'address',
  'zipcode',
  'location',
  'country',
] as const satisfies readonly PersonField[]
