// This is the whole public surface. It withholds connections, the classes of both modes and platform code, which may change.
export { type ConnectWrapperOptions, connectWrapper, defaultTimeoutMs } from './client/connect-wrapper.ts'
export type {
  CallOptions,
  CloseOptions,
  CustomIdChange,
  EventsItem,
  EventsOptions,
  FocusedPerson,
  UserQuery,
  WorkoutOwner,
  WorkoutQuery,
  WrapperClient,
  WrapperEvent,
  WrapperEventType,
  WrapperReconnected,
  WrapperStatus,
} from './client/wrapper-client.ts'
export type { FoundWrapper, WrapperWarning } from './connection/channel.ts'
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
export { type FindWrappersOptions, findWrappers } from './find/find-wrappers.ts'
export {
  defaultLaunchTimeoutMs,
  type LaunchOutcome,
  type LaunchWrapperOptions,
  launchWrapper,
} from './launch/launch-wrapper.ts'
export { type LocateWrapperOptions, locateWrapper } from './launch/locate-wrapper.ts'
export type { InstalledWrapper } from './platform/pipe-platform.ts'
export { DesktopUnknownError } from './running/own-desktop.ts'
