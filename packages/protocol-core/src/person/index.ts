// Claims, persons, dates and texts, without the modules of Node: for pages and edge runtimes.

export { postedEndSchema, postedLinkSchema, problemSchema } from '../partner-link/answers.ts'
export { type ReceiverFacts, receiverFactsSchema } from '../partner-link/receiver-facts.ts'
export { issuesOf, readBy } from '../schema/read.ts'
export { comparableName, foldTwins } from '../text/comparable-text.ts'
export { foldNames, indexNames } from '../text/fold-names.ts'
export {
  findIdProblem,
  findTextProblem,
  hasTypographicQuotes,
  maxLaunchArguments,
  maxTextLength,
  quotesProblem,
  readFlag,
  readInteger,
  trimId,
  trimText,
} from '../text/text-rules.ts'
export { isThisMachine } from '../text/this-machine.ts'
export { fieldSynonyms, findArgument, isFieldOfOthers, personSynonyms } from './field-synonyms.ts'
export {
  areWrittenAlike,
  comparableSsn,
  compareIdentityNumbers,
  type NumberedPerson,
  normalizeIdentityNumber,
} from './identity-number.ts'
export { assertCulture, isKnownCulture, machineCulture } from './machine-culture.ts'
export {
  DateError,
  parseDate,
  parseIsoDate,
  readIsoDate,
} from './parse-date.ts'
export {
  claimNamesOf,
  claimsFromPayload,
  contactSchema,
  type ExtraClaims,
  endSchema,
  isEnd,
  lenientEndSchema,
  lenientPayloadSchema,
  payloadSchema,
  personFromContact,
  writtenPayloadSchema,
} from './payload.ts'
export { personSchema } from './person.ts'
export {
  describeField,
  fieldsIn,
  type PersonField,
  type PersonFieldKey,
  type PersonFieldName,
  type PersonTransport,
  personFieldNames,
  personFields,
} from './person-fields.ts'
export type { ContactClaims, EndClaims, PayloadClaims, Person } from './person-types.ts'
export { type ReadFieldsOptions, readPersonFields, writePersonFields } from './read-person.ts'
