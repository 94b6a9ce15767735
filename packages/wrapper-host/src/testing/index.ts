// Entry for tests of partners and integrators. Withheld: the engine and the page in memory, so that they can change.

export type { WaitOptions } from '@service-link/protocol-core/time'
export type { HostHandlers } from '../web-app/page/messages.ts'
export { HostCallError } from '../web-app/page/messages.ts'
export type { PostedForm } from './memory-engine.ts'
export type { HandlerCall, PageEvent } from './memory-page.ts'
export { createMemoryWebApp, type MemoryWebAppOptions, type MemoryWorkout } from './memory-web-app.ts'
export {
  NoCallError,
  startTestWrapper,
  type TestWindow,
  type TestWrapper,
} from './start-test-wrapper.ts'
export type { TestWrapperOptions } from './test-wrapper-options.ts'
