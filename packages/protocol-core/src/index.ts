// This is the whole public surface. Withheld: the helpers by which schemas are put together, so that they can change.
// Each other entry has a part of it, for processes that must not load the schemas.

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
  type CommandDefinition,
  type CommandReply,
  commands,
  type PageCommandName,
} from './command/command-table.ts'
export { type User, userSchema, type Workout, workoutSchema } from './command/lists.ts'
export {
  type SelectPersonReply,
  selectPersonArgsSchema,
  selectPersonReplySchema,
} from './command/select-person-schemas.ts'
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
export * from './person/index.ts'
export { contactSchema, payloadSchema } from './person/payload-schema.ts'
export {
  type Gender,
  type LaunchPerson,
  personSchema,
  type SelectablePerson,
} from './person/person.ts'
export {
  type JsonValue,
  maxProfileEntries,
  type ProfileEntry,
  profileDataSchema,
  profileEntrySchema,
} from './person/profile-data.ts'
export * from './pipe/index.ts'
export {
  isSessionMethod,
  parseClassicCommand,
  parseSessionCall,
  type SessionCall,
  type SessionMethod,
} from './session/parse-request.ts'
export {
  type HelloReply,
  type PersonInFocus,
  type SessionEvent,
  type SessionStatus,
  type SubscribeReply,
  sessionEvents,
  sessionMethods,
} from './session/session-table.ts'
export {
  keepable,
  optionalText,
  optionalWireInteger,
  requiredText,
  wireInteger,
} from './text/text-field.ts'
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
export { type Launch, launchSchema } from './wrapper/launch.ts'
export {
  type SettingDefinition,
  type SettingName,
  type SettingScope,
  type Settings,
  settingsTable,
  type UserSettingName,
} from './wrapper/settings-table.ts'
