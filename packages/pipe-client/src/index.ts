// This is the whole public surface. Withheld: connections, the classes of both modes and the platforms' ways of finding
// pipes, so that they can change without a change for callers.
export { type ConnectWrapperOptions, connectWrapper, defaultTimeoutMs } from './client/connect-wrapper.ts'
export type {
  CallOptions,
  CustomIdChange,
  EventsOptions,
  FocusedPerson,
  UserQuery,
  WorkoutOwner,
  WorkoutQuery,
  WrapperClient,
  WrapperEvent,
  WrapperEventType,
  WrapperStatus,
} from './client/wrapper-client.ts'
export {
  PipeAmbiguousError,
  PipeClosedError,
  PipeDeniedError,
  PipeError,
  type PipeErrorCode,
  PipeNotFoundError,
  PipeNotInstalledError,
  PipeOverflowError,
  PipeRefusedError,
  PipeReplyError,
  PipeStartError,
  PipeTimeoutError,
  PipeTooOldError,
  PipeUnprovenError,
  PipeUnsupportedError,
} from './errors/pipe-error.ts'
export { type FindWrappersOptions, type FoundWrapper, findWrappers } from './find/find-wrappers.ts'
export {
  defaultLaunchTimeoutMs,
  type LaunchOutcome,
  type LaunchWrapperOptions,
  launchWrapper,
} from './launch/launch-wrapper.ts'
export type { InstalledWrapper } from './locate/installed-wrapper.ts'
export { type LocateWrapperOptions, locateWrapper } from './locate/locate-wrapper.ts'
