// Entry for a partner's tests. Withheld: the receiver behind the service, which the main entry has.
export type { MemoryContact } from '../testing/memory-store.ts'
export {
  NoDeliveryError,
  startTestService,
  type TestDelivery,
  type TestEmployee,
  type TestRefusal,
  type TestService,
  type TestServiceOptions,
} from './start-test-service.ts'
