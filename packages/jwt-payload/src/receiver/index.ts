// This is the whole public surface of the service's side. Withheld: the single checks and the writing of answers, because
// their order is the protocol. The stores in memory keep nothing when the process ends.
export { createEffects } from './create-effects.ts'
export {
  createReceiver,
  maxFormBytes,
  type Receiver,
  type ReceiverEvent,
  type ReceiverOptions,
} from './create-receiver.ts'
export type { MemoryContact } from './memory/contact-book.ts'
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from './memory/memory-store.ts'
export { createPartnerDirectory, partnerDirectoryOf } from './memory/partner-directory.ts'
export { createMemorySessions, type MemorySessionsOptions } from './memory/sessions.ts'
export { importPartner, type PartnerRegistration, partnerRegistrationSchema } from './partner-registration.ts'
export type { Account, AccountLinks } from './ports/accounts.ts'
export type { ContactBook, ContactCandidate, ContactMatch } from './ports/contacts.ts'
export type { Delivery, EmployeeKey, Hold, HoldPurpose, OrganizationKey } from './ports/delivery.ts'
export type {
  AcceptInput,
  Applied,
  CompleteInput,
  DeferInput,
  DeliveryEffects,
  HeldForLogIn,
  ResumeInput,
} from './ports/effects.ts'
export type { HeldDeliveries } from './ports/held-deliveries.ts'
export type { PageContext, PageOutcome, RenderPage } from './ports/page.ts'
export type { Partner, PartnerDirectory, PartnerHint } from './ports/partners.ts'
export type { ReplayClaim, ReplayGuard } from './ports/replay.ts'
export type { SessionGrant, SessionMaker, Sessions } from './ports/sessions.ts'
export type { EffectPorts, RunInTransaction } from './ports/transaction.ts'
export {
  EmployeeLinkedError,
  LinkGoneError,
  MediaTypeError,
  MethodNotAllowedError,
  PartnerInactiveError,
  PayloadMissingError,
  PayloadReplayedError,
  PendingGoneError,
  ReceiverOptionError,
} from './receiver-errors.ts'
export { accountStorageKey, type BootPageOptions, bootElementId, renderBootPage } from './render-boot-page.ts'
