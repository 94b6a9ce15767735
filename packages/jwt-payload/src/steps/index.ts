// Entry for `@service-link/receiver`, which takes these steps in its order, and for the page docs/explain. Not for programs: a step alone proves nothing, and
// this list changes with the receiver. Withheld: every step that the receiver does not take.
export { atPath } from '../errors/key-errors.ts'
export {
  defineRefusal,
  PartnerInactiveError,
  Refusal,
} from '../errors/refusals.ts'
export { signingTimeOf } from '../explain/explain-token.ts'
export { checkMarks, isDoubtful, stateOf, verdictOf } from '../explain/verdict.ts'
export { escapeHtml, isHttpUrl } from '../http/page-text.ts'
export { readBoundedBody } from '../http/read-body.ts'
export { addressAdvice, addressProblem, discoveryOf } from '../http/receiver-address.ts'
export { assertImportOptions } from '../keys/import-verification-key.ts'
export { assertKeyMembers, onlyOf } from '../keys/key-members.ts'
export { nodeDigests } from '../keys/node-crypto.ts'
export { isHexThumbprintOf, namesOfKey } from '../keys/verification-key.ts'
export {
  appearanceSchema,
  keyRegistrationSchema,
  type PartnerAppearance,
  type PartnerRegistration,
  partnerRegistrationSchema,
} from '../registration/partner-registration.ts'
export { explainedTerms, readKeyForm, readRegisteredKeys } from '../registration/registered-keys.ts'
export {
  checkClaims,
  maxSpanSeconds,
  payloadPolicies,
  readSenderIds,
  toleranceSeconds,
} from '../verify/check-claims.ts'
export { findSigner, readAlgorithm, type SignedToken } from '../verify/check-signature.ts'
export { type JsonObject, namesIn, readToken, type UnverifiedToken } from '../verify/read-token.ts'
export { assertVerificationKey, checkSigned } from '../verify/verify-payload.ts'
