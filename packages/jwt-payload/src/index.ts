// This is the whole public surface of the partner's side. Withheld: the single checks and the key readers, because their
// order is the protocol and a check alone proves nothing. The service's side is the entry `receiver`.
export {
  PayloadAlgorithmError,
  PayloadAudienceError,
  PayloadExpiredError,
  PayloadKeyError,
  PayloadMalformedError,
  PayloadNotYetValidError,
  PayloadShapeError,
  PayloadSignatureError,
  PayloadTimesError,
  PayloadTooLargeError,
  UnavailableError,
  type VerifyError,
} from './errors/payload-errors.ts'
export { Refusal } from './errors/refusal.ts'
export { isRefusalCode, type RefusalCode, refusalStatus } from './errors/refusal-codes.ts'
export { type ExplainPayloadOptions, explainPayload } from './explain/explain-payload.ts'
export type { ExplainedCheck, ServiceCheckName } from './explain/explained-check.ts'
export { type PayloadAlgorithm, payloadAlgorithms } from './keys/algorithms.ts'
export type { Certificate } from './keys/certificate.ts'
export { importSigningKey } from './keys/import-signing-key.ts'
export { type ImportVerificationKeyOptions, importVerificationKey } from './keys/import-verification-key.ts'
export { CertificateValidityError, type KeyErrorFacts, KeyImportError } from './keys/key-errors.ts'
export type {
  SigningKeyKind,
  SigningKeySource,
  VerificationKeyKind,
  VerificationKeySource,
} from './keys/key-source.ts'
export type { SigningKey } from './keys/signing-key.ts'
export type { VerificationKey } from './keys/verification-key.ts'
export {
  PostOptionError,
  PostRefusedError,
  PostReplyError,
  PostTimeoutError,
  PostUnreachableError,
} from './post/post-errors.ts'
export {
  type PostAccept,
  type PostedLink,
  type PostedPage,
  type PostPayloadOptions,
  type PostResult,
  postPayload,
} from './post/post-payload.ts'
export { type PayloadFormOptions, renderPayloadForm } from './post/render-payload-form.ts'
export { type SignPayloadOptions, signPayload } from './sign/sign-payload.ts'
export { maxSpanSeconds, type PayloadTimes } from './verify/check-times.ts'
export type { PayloadCheckName } from './verify/payload-checks.ts'
export type { PayloadPolicy } from './verify/policy.ts'
export { maxTokenBytes } from './verify/read-token.ts'
export {
  defaultToleranceSeconds,
  type VerifiedPayload,
  type VerifyPayloadOptions,
  verifyPayload,
} from './verify/verify-payload.ts'
