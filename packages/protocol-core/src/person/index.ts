export { type Gender, parseGender } from './gender.ts'
export { type Person, personSchema } from './person.ts'
export {
  type PersonFieldName,
  type ReadPersonOptions,
  readPersonFields,
  writePersonFields,
} from './person-fields.ts'
export {
  type JsonValue,
  maxProfileEntries,
  type ProfileEntry,
  profileDataSchema,
  profileDateFormats,
  profileEntrySchema,
} from './profile-data.ts'
