// This is the whole public surface of the service's side. Withheld: the single checks and the writing of answers, because
// their order is the protocol. The stores in memory keep nothing when the process ends.

export { refusalResponse } from './answers/refusal-response.ts'
export {
  accountStorageKey,
  type BootPageOptions,
  bootElementId,
  renderBootPage,
} from './answers/render-boot-page.ts'
export { contradicts, hasSameName, type PersonTraits } from './contradicts.ts'
export { createReceiver } from './create-receiver.ts'
export { createEffects } from './effects/create-effects.ts'
export { employeeDigestOf } from './effects/employee-digest.ts'
export { comparableSsn, normalizeIdentityNumber } from './identity-number.ts'
export type { MemoryContact } from './memory/contact-book.ts'
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from './memory/memory-store.ts'
export { createPartnerDirectory, partnerDirectoryOf } from './memory/partner-directory.ts'
export { createMemoryRateLimiter } from './memory/rate-limiter.ts'
export { createMemorySessions, type MemorySessionsOptions } from './memory/sessions.ts'
export type { Account, AccountLink, AccountLinks, EndedLink } from './ports/accounts.ts'
export type { AuditEntry, AuditLog, AuditOutcome, VisitEvent } from './ports/audit.ts'
export type { ContactBook, ContactCandidate, ContactMatch } from './ports/contacts.ts'
export type { Delivery, EmployeeKey, Hold, HoldPurpose, OrganizationKey } from './ports/delivery.ts'
export type {
  AcceptInput,
  Applied,
  CompleteInput,
  DeferInput,
  DeliveryEffects,
  HeldForLogIn,
  IsActivePartner,
  MakeHold,
  ResumeInput,
  Unlinked,
  UnlinkInput,
} from './ports/effects.ts'
export type { HeldDeliveries } from './ports/held-deliveries.ts'
export type { PageContext, PageOutcome, RenderPage } from './ports/page.ts'
export type {
  DeliveryPartner,
  Partner,
  PartnerAppearance,
  PartnerDirectory,
  PartnerHint,
  ShownPartner,
} from './ports/partners.ts'
export type { RateDecision, RateLimiter } from './ports/rate-limit.ts'
export type { ReplayClaim, ReplayGuard, ReplayResult } from './ports/replay.ts'
export type { SessionContext, SessionGrant, SessionMaker, Sessions } from './ports/sessions.ts'
export type { EffectPorts, RunInTransaction, TransactionContext } from './ports/transaction.ts'
export type { Receiver } from './receiver.ts'
export {
  EmployeeLinkedError,
  LinkGoneError,
  LinkNotFoundError,
  MediaTypeError,
  MethodNotAllowedError,
  NotNavigatedError,
  OrganizationBoundError,
  PartnerInactiveError,
  PayloadMissingError,
  PayloadReplayedError,
  PendingGoneError,
  RateLimitedError,
  ReceiverOptionError,
} from './receiver-errors.ts'
export type { ReceiverEvent, ReceiverOptions } from './receiver-options.ts'
export {
  importPartner,
  type PartnerRegistration,
  partnerRegistrationSchema,
} from './registration/partner-registration.ts'
export { maxFormBytes } from './steps/receive-post.ts'
