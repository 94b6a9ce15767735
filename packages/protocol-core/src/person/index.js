export { genderSpellings, parseGender } from './gender.ts';
export { personSchema } from './person.ts';
export { readPersonFields } from './person-fields.ts';
export { maxProfileEntries, profileDataSchema, profileDateFormats, profileEntrySchema, } from './profile-data.ts';
