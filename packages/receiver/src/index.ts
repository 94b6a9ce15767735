// This is the whole public surface of the service's side. Withheld: the single checks and the writing of answers, because
// their order is the protocol.

export {
  type PartnerAppearance,
  type PartnerRegistration,
  partnerRegistrationSchema,
} from '@service-link/jwt-payload/steps'
export { comparableSsn, normalizeIdentityNumber } from '@service-link/protocol-core/person'
export { type RefusalResponseOptions, refusalResponse } from './answer-refusal.ts'
export type { Applied } from './apply-delivery.ts'
export { employeeDigestOf } from './audit.ts'
export { createReceiver, type Receiver } from './create-receiver.ts'
export { type DeliveryPartner, importPartner, type Partner, type ShownPartner } from './import-partner.ts'
export {
  createPartnerDirectory,
  type PartnerDirectory,
  type PartnerHint,
  partnerDirectoryOf,
} from './partner-directory.ts'
export type {
  Account,
  AccountLinks,
  AuditEntry,
  AuditLog,
  AuditOutcome,
  ContactBook,
  ContactCandidate,
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
} from './ports.ts'
export {
  createRateLimiter,
  type RateDecision,
  type RateLimiter,
  type RateLimiterOptions,
  type ShareRequest,
} from './rate-limiter.ts'
export {
  EmployeeLinkedError,
  LinkNotFoundError,
  OrganizationBoundError,
  PendingGoneError,
  RateLimitedError,
  ReceiverOptionError,
} from './receiver-errors.ts'
export type { ReceiverEvent, ReceiverOptions } from './receiver-options.ts'
export type { RefusalFacts, RenderRefusal } from './refusal-page.ts'
export {
  type PageContext,
  type PageOutcome,
  type RenderPage,
  renderBootPage,
} from './render-boot-page.ts'
export {
  type ContactDecision,
  contradicts,
  hasSameName,
  type KnownContact,
  matchContact,
  type PersonTraits,
} from './same-person.ts'
export {
  type Connection,
  type ContactTable,
  type LinkRow,
  type LinkRows,
  runOneByOne,
  type StoredContact,
  type StoreParts,
  storesOverRows,
} from './stores-over-rows.ts'
