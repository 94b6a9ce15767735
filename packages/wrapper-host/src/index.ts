// This is the whole public surface for integrators. Withheld: instance, launch queue, pipe server and settings files, which
// createWrapper puts together, so that they can change. The page's side is the entry ./page.
export {
  type CreateWrapperOptions,
  createWrapper,
  type RunningWrapper,
  type StartOptions,
  type Wrapper,
  type WrapperStart,
} from './create-wrapper.ts'
export {
  type ClaimInstanceOptions,
  claimInstance,
  InstanceBusyError,
  type InstanceClaim,
} from './instance/claim-instance.ts'
export { type HandOffOptions, HandOffTimeoutError } from './instance/hand-off-client.ts'
export type { HandOffAnswer, HandOffOutcome, HandOffRequest } from './instance/hand-off-message.ts'
export type { LaunchTicket, TakeLaunch } from './instance/hand-off-server.ts'
export { type InstancePlace, type LocateInstanceOptions, locateInstance } from './instance/instance-place.ts'
export { PrivateFolderError } from './instance/private-folder.ts'
export { PipeTakenError } from './pipe/pipe-server.ts'
export { UnknownProviderError } from './providers/choose-provider.ts'
export type { ProvidedCommands, Provider, ProviderContext } from './providers/provider.ts'
export { ProviderMismatchError } from './providers/provider-mismatch-error.ts'
export { XmlFileError } from './providers/xml-file.ts'
export { AppUrlError } from './settings/app-url.ts'
export { ConfigFileError } from './settings/read-config-file.ts'
export { locateFolders, type WrapperFolders } from './settings/wrapper-folders.ts'
export type {
  CallOptions,
  Engine,
  EngineEvents,
  EngineProbe,
  EngineWindow,
  JsonValue,
  OpenWindowOptions,
  SessionSnapshot,
  WindowState,
} from './window/engine.ts'
export { wrapperVersion } from './wrapper-version.ts'
