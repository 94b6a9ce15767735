// Entry for the partner's pages: one file without dependencies, which a page may also load as it is. Withheld: tabs and forms,
// because only their order keeps the token out of the page. Nothing that signs: keys stay on the partner's server.
export type { FrameMessage } from '@service-link/protocol-core/embedding'
export { PostOptionError } from '../post/post-errors.ts'
export {
  SubmitBlockedError,
  SubmitClosedError,
  type SubmitPayloadOptions,
  SubmitPolicyError,
  SubmitTimeoutError,
  SubmitTokenError,
  submitPayload,
} from './submit-payload.ts'
export {
  type FrameElement,
  FrameRefusedError,
  FrameTimeoutError,
  type WaitForPersonOptions,
  type WatchFrameOptions,
  waitForPerson,
  watchFrame,
} from './watch-frame.ts'
