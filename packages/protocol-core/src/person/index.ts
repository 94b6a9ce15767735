// Claims, persons, dates and texts without their schemas: for programs that must not load a schema library.

export { comparableName, foldTwins } from '../text/comparable-text.ts'
export { foldNames } from '../text/fold-names.ts'
export { issuesOf } from '../text/issues.ts'
export {
  findTextProblem,
  maxLaunchArguments,
  maxTextLength,
  readFlag,
  readInteger,
  trimText,
} from '../text/text-rules.ts'
export { isThisMachine } from '../text/this-machine.ts'
export { hasTypographicQuotes, quotesProblem } from '../text/typographic-quotes.ts'
export {
  areWrittenAlike,
  comparableSsn,
  compareIdentityNumbers,
  type NumberedPerson,
  normalizeIdentityNumber,
} from './identity-number.ts'
export { isCulture, isKnownCulture, machineCulture } from './machine-culture.ts'
export {
  DateError,
  parseDate,
  parseIsoDate,
  readIsoDate,
} from './parse-date.ts'
export {
  type ContactClaims,
  claimNames,
  claimsFromPayload,
  type ExtraClaims,
  findClaimIssues,
  type PayloadClaims,
  personFromContact,
  readPayload,
} from './payload.ts'
export type { Person } from './person.ts'
export {
  type PersonFieldName,
  parseGender,
  personFieldNames,
  type ReadFieldsOptions,
  readPersonFields,
  writePersonFields,
} from './person-fields.ts'
