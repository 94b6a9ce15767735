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
export { createPartnerDirectory } from './memory/partner-directory.ts'
export { createMemorySessions, type MemorySessionsOptions } from './memory/sessions.ts'
export { importPartner, type PartnerRegistration, partnerRegistrationSchema } from './partner-registration.ts'
export type {
  AcceptInput,
  Account,
  AccountLinks,
  Applied,
  CompleteInput,
  ContactBook,
  ContactCandidate,
  ContactMatch,
  DeferInput,
  Delivery,
  DeliveryEffects,
  EffectPorts,
  EmployeeKey,
  HeldDeliveries,
  HeldForLogIn,
  Hold,
  HoldPurpose,
  OrganizationKey,
  PageContext,
  PageOutcome,
  Partner,
  PartnerDirectory,
  PartnerHint,
  RenderPage,
  ReplayClaim,
  ReplayGuard,
  ResumeInput,
  RunInTransaction,
  SessionGrant,
  SessionMaker,
  Sessions,
} from './ports.ts'
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
