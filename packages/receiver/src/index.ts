// This is the whole public surface of the service's side. Withheld: the single checks and the writing of answers, because
// their order is the protocol.

export {
  type PartnerAppearance,
  type PartnerRegistration,
  partnerRegistrationSchema,
} from '@service-link/jwt-payload/steps'
export { comparableSsn, normalizeIdentityNumber } from '@service-link/protocol-core/person'
export { createReceiver, type Receiver } from './create-receiver.ts'
export type { EndFacts, RenderEnd } from './pages/end-page.ts'
export type { RefusalFacts, RenderRefusal } from './pages/refusal-page.ts'
export {
  type PageContext,
  type PageOutcome,
  type RenderPage,
  renderBootPage,
} from './pages/render-boot-page.ts'
export {
  createPartnerDirectory,
  type DeliveryPartner,
  importPartner,
  type Partner,
  type PartnerDirectory,
  type PartnerHint,
  partnerDirectoryOf,
  type ShownPartner,
} from './partner-directory.ts'
export { type RefusalResponseOptions, refusalResponse } from './post/answer-refusal.ts'
export type { Applied } from './post/apply-delivery.ts'
export {
  createRateLimiter,
  type RateDecision,
  type RateLimiter,
  type RateLimiterOptions,
  type ShareRequest,
} from './rate-limiter.ts'
export { type ReadRegistration, readRegistrations } from './read-registrations.ts'
export {
  EmployeeLinkedError,
  LinkNotFoundError,
  OrganizationBoundError,
  PendingGoneError,
  RateLimitedError,
  ReceiverOptionError,
} from './receiver-errors.ts'
export type { ReceiverEvent, ReceiverOptions } from './receiver-options.ts'
export { employeeDigestOf } from './stores/digests.ts'
export type {
  Account,
  AccountLinks,
  AuditEntry,
  AuditLog,
  AuditOutcome,
  ContactBook,
  ContactCandidate,
  ContactFacts,
  ContactMatch,
  Delivery,
  EmployeeKey,
  HeldDeliveries,
  Hold,
  HoldPurpose,
  KnownVisit,
  OrganizationKey,
  ReceiverStores,
  ReplayClaim,
  ReplayGuard,
  ReplayResult,
  RunInTransaction,
  SessionContext,
  SessionGrant,
  SessionMaker,
  Sessions,
  TakeKnownVisit,
  TransactionContext,
  VisitEvent,
} from './stores/ports.ts'
export {
  type ContactDecision,
  findContradictions,
  hasSameName,
  type KnownContact,
  matchContact,
  type PersonTrait,
  type PersonTraits,
} from './stores/same-person.ts'
export {
  type Connection,
  type ContactTable,
  type LinkRow,
  type LinkRows,
  runOneByOne,
  type StoredContact,
  type StoreParts,
  storesOverRows,
} from './stores/stores-over-rows.ts'
