// This is the whole public surface of the partner's side. Withheld: the single checks and the key readers, because their
// order is the protocol and a check alone proves nothing. The service's side is the entry `receiver`.

export type {
  ContactClaims,
  EndClaims,
  ExtraClaims,
  PayloadClaims,
  ReceiverFacts,
} from '@service-link/protocol-core/person'
export type { Certificate } from './errors/key-errors.ts'
export { CertificateValidityError, type KeyErrorFacts, KeyImportError } from './errors/key-errors.ts'
export {
  EndNotAllowedError,
  isRefusalCode,
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
  Refusal,
  type RefusalCode,
  refusalStatus,
  UnavailableError,
} from './errors/refusals.ts'
export { type ExplainPayloadOptions, explainPayload } from './explain/explain-payload.ts'
export type { ExplainedCheck, PayloadCheckName, ServiceCheckName } from './explain/explained-check.ts'
export { type PayloadAlgorithm, payloadAlgorithms } from './keys/algorithms.ts'
export { importVerificationKey } from './keys/import-verification-key.ts'
export { importSigningKey, type SigningKey, type SigningKeySource } from './keys/signing-key.ts'
export type {
  ImportVerificationKeyOptions,
  VerificationKey,
  VerificationKeySource,
} from './keys/verification-key.ts'
export { type DiscoverReceiverOptions, discoverReceiver } from './post/discover-receiver.ts'
export {
  PostOptionError,
  PostRefusedError,
  PostReplyError,
  PostTimeoutError,
  PostUnreachableError,
} from './post/post-errors.ts'
export {
  type PostedEnd,
  type PostedLink,
  type PostPayloadOptions,
  postEnd,
  postPayload,
} from './post/post-payload.ts'
export { type PayloadFormOptions, payloadFormPolicy, renderPayloadForm } from './post/render-payload-form.ts'
export type { PayloadSigner } from './sign/sign-by-signer.ts'
export {
  type SigningMeans,
  type SignPayloadOptions,
  signPayload,
} from './sign/sign-payload.ts'
export type { PayloadPolicy, PayloadTimes } from './verify/check-claims.ts'
export {
  type VerifiedEnd,
  type VerifiedPayload,
  type VerifyPayloadOptions,
  verifyPayload,
} from './verify/verify-payload.ts'
