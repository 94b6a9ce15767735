// This is the whole public surface. Withheld: the helpers by which schemas are put together, so that they can change.
// Frames, brand, errors, time and persons have entries of their own besides, for processes that must not load the schemas.

export {
  type Command,
  type CommandArgs,
  type CommandResult,
  findCommandName,
  parseCommand,
} from './command/command.ts'
export {
  type ArgumentFacts,
  argumentsOf,
  type ClassicCommandName,
  type CommandDefinition,
  type CommandName,
  type CommandReply,
  commandNames,
  commands,
  isClassicCommandName,
  type PageCommandName,
} from './command/command-table.ts'
export { type User, userSchema, type Workout, workoutSchema } from './command/lists.ts'
export {
  argsFromPerson,
  personFromArgs,
  type SelectPersonReply,
  selectPersonArgsSchema,
  selectPersonReplySchema,
} from './command/select-person.ts'
export {
  classicFailureSchema,
  parseClassicCommand,
  readClassicReply,
  writeClassicFailure,
  writeClassicReply,
  writeClassicRequest,
} from './envelope/classic.ts'
export {
  decodeRequest,
  maxSessionIdLength,
  type RequestEnvelope,
  type SessionId,
} from './envelope/request-envelope.ts'
export {
  ArgsError,
  type ArgsIssue,
  assertParameter,
  BusyError,
  CancelledError,
  ClosingError,
  type CommandError,
  type CommandErrorCode,
  CommandTimeoutError,
  commandErrorCodes,
  FrameError,
  isServiceLinkError,
  JsonError,
  MethodError,
  NotFoundError,
  NotSignedInError,
  ParameterError,
  type ParameterKind,
  ServiceLinkError,
  WebAppError,
} from './errors/index.ts'
export {
  decodeJson,
  decodeText,
  encodeFrame,
  FrameDecoder,
  frameHeaderBytes,
  maxJsonDepth,
  maxReplyFrameBytes,
  maxRequestFrameBytes,
} from './frame/frame.ts'
export {
  DateError,
  isCulture,
  machineCulture,
  parseDate,
  parseIsoDate,
  readIsoDate,
} from './person/parse-date.ts'
export {
  type ContactClaims,
  claimNames,
  claimsFromPayload,
  type ExtraClaims,
  type PayloadClaims,
  personFromContact,
  readPayload,
} from './person/payload.ts'
export { contactSchema, payloadSchema } from './person/payload-schema.ts'
export {
  type Gender,
  type LaunchPerson,
  type Person,
  personSchema,
  type SelectablePerson,
} from './person/person.ts'
export {
  type PersonFieldName,
  parseGender,
  personFieldNames,
  readPersonFields,
  writePersonFields,
} from './person/person-fields.ts'
export {
  type JsonValue,
  maxProfileEntries,
  type ProfileEntry,
  profileDataSchema,
  profileEntrySchema,
} from './person/profile-data.ts'
export {
  isSessionMethod,
  parseSessionCall,
  readSessionMessage,
  readSessionResult,
  type SessionCall,
  type SessionCallName,
  type SessionMessage,
  type SessionMethod,
  type SessionResult,
  writeSessionEvent,
  writeSessionFailure,
  writeSessionReply,
  writeSessionRequest,
} from './session/session-message.ts'
export {
  type HelloReply,
  type PersonInFocus,
  type SessionEvent,
  type SessionEventName,
  type SessionMethodName,
  type SessionStatus,
  type SubscribeReply,
  sessionEventNames,
  sessionEvents,
  sessionMethods,
  sessionProtocol,
} from './session/session-table.ts'
export { foldNames } from './text/fold-names.ts'
export { issuesOf } from './text/issues.ts'
export {
  keepable,
  optionalText,
  optionalWireInteger,
  requiredText,
  wireInteger,
} from './text/text-field.ts'
export { findTextProblem, maxTextLength, readFlag } from './text/text-rules.ts'
export { isThisMachine } from './text/this-machine.ts'
export { type FromWire, fromWire, toWire, wireNameOf } from './text/wire-names.ts'
export { Arrivals, type WaitOptions } from './time/arrivals.ts'
export {
  assertBrand,
  type Brand,
  BrandError,
  type BrandOptions,
  defaultBrand,
  defineBrand,
  installFileName,
  loginDisplay,
  pipeAddress,
  pipeName,
  unixPipeFolder,
  unixPipePrefix,
  wrapperUserFolder,
} from './wrapper/brand.ts'
export {
  compareVersions,
  type FourPartVersion,
  formatVersion,
  minimumPipeVersion,
  parseVersion,
  VersionError,
} from './wrapper/four-part-version.ts'
export { type InstallRecord, maxInstallRecordBytes, parseInstallRecord } from './wrapper/install-record.ts'
export { type Launch, launchSchema, maxLaunchArguments } from './wrapper/launch.ts'
export {
  type SettingDefinition,
  type SettingName,
  type SettingScope,
  type Settings,
  settingsTable,
  type UserSettingName,
} from './wrapper/settings-table.ts'
