// Claims, persons, dates and texts without their schemas: for programs that must not load a schema library.

export { issuesOf } from '../text/issues.ts'
export { findTextProblem, maxTextLength } from '../text/text-rules.ts'
export { isThisMachine } from '../text/this-machine.ts'
export { DateError, parseIsoDate, readIsoDate } from './parse-date.ts'
export {
  type ContactClaims,
  claimNames,
  claimsFromPayload,
  type ExtraClaims,
  type PayloadClaims,
  personFromContact,
  readPayload,
} from './payload.ts'
export type { Person } from './person.ts'
