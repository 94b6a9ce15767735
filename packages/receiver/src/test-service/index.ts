// Entry for a partner's tests. Withheld: the receiver behind the service, which the main entry has.
export type { MemoryContact } from '../testing/memory-store.ts'
export { startTestService, type TestServiceOptions } from './start-test-service.ts'
export {
  NoDeliveryError,
  type TestDelivery,
  type TestEmployee,
  type TestRefusal,
  type TestService,
} from './test-service.ts'
export type { TestTokenKind, TokenRefusalCode } from './test-tokens.ts'
