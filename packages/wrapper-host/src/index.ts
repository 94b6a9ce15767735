// This is the whole public surface for integrators. Withheld, so that they can change: launch queue, pipe server, bridge and
// settings files. The page's side is the entry ./page.

export type { HandOffOutcome } from '@service-link/protocol-core'
// Types of createWrapper's options and errors. The engines are in @service-link/window-engine.
export type { Engine, EngineFault, OpenExternal } from '@service-link/window-engine'
export { EngineError } from '@service-link/window-engine'
export { type RunProgramOptions, runProgram } from './cli/program.ts'
export { SignedOutError } from './command/admission.ts'
export type { CheckedFinding, Finding, FindingStatus } from './doctor/doctor-check.ts'
export { type RunDoctorOptions, runDoctor } from './doctor/run-doctor.ts'
export {
  InstanceAccessError,
  type InstanceAccessFault,
  PrivateFolderError,
  UserFolderError,
  type UserFolderFault,
} from './files/access.ts'
export { PayloadFileError, XmlFileError } from './launch/launch-file.ts'
export { LauncherGoneError } from './launch/launch-offers.ts'
export type { ProvidedCommands, Provider, ProviderInput } from './launch/provider.ts'
export {
  ProviderFailedError,
  ProviderMismatchError,
  ProviderModuleError,
  type ProviderModuleFault,
  ProviderNameError,
  ProviderRefusalError,
  ProviderResultError,
  ProviderTimeoutError,
  UnknownProviderError,
} from './launch/provider.ts'
export { PayloadShapeError, SsoUrlError } from './launch/signed-payload.ts'
export { PipeTakenError, PipeUnboundError } from './pipe/pipe-server.ts'
export { ConfigFileError } from './settings/config-file.ts'
export { AppUrlError } from './settings/resolve-settings.ts'
export {
  locateFolders,
  OptionError,
  type WrapperFolders,
  wrapperVersion,
} from './settings/wrapper-folders.ts'
export type { RunningWrapper } from './start/become-wrapper.ts'
export { InstanceBusyError } from './start/claim-instance.ts'
export { createWrapper, type Wrapper, type WrapperStart } from './start/create-wrapper.ts'
export { CrashError } from './start/failed-start.ts'
export { HandOffLostError, HandOffTimeoutError, HandOffWaitError } from './start/hand-off.ts'
export { HandOffTakenError } from './start/private-server.ts'
export { NodeVersionError } from './start/supported-node.ts'
export type { CreateWrapperOptions, StartOptions } from './start/wrapper-options.ts'
export type { OwnTexts } from './texts/load-texts.ts'
export type { WrapperTexts } from './texts/wrapper-texts.ts'
export { createTray, type TrayOptions } from './tray/create-tray.ts'
export type { Tray, TrayAction, TrayEvents, TrayIcon, TrayMenu } from './tray/tray.ts'
export { TrayError, type TrayFault } from './tray/tray.ts'
export { SignOnRefusedError, SignOnUnreachableError } from './web-app/sign-on.ts'
