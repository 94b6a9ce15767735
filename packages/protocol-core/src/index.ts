// This is the whole public surface. Withheld: the helpers by which schemas are put together, so that they can change.
// Each other entry has a part of it, for processes that must not load the schemas.

export {
  type Command,
  type CommandArgs,
  findCommandName,
  opensNothing,
  parseCommand,
} from './command/command.ts'
export {
  type ArgumentFacts,
  argumentsOf,
  bringsToFront,
  type ClassicCommandName,
  type CommandDefinition,
  type CommandName,
  type CommandReply,
  type CommandResult,
  commandNames,
  commands,
  isClassicCommandName,
  type PageCommandName,
} from './command/command-table.ts'
export { userSchema, workoutSchema } from './command/lists.ts'
export type {
  ClearArgs,
  CloseArgs,
  CustomIdArgs,
  Exercise,
  ExerciseData,
  OpenWorkoutArgs,
  QueryArgs,
  User,
  UsersArgs,
  Workout,
  WorkoutsArgs,
} from './command/message-types.ts'
export {
  argsFromPerson,
  type SelectionReceipt,
  type SelectPersonAnswer,
  type SelectPersonReply,
  selectPersonAnswerSchema,
} from './command/select-person.ts'
export {
  readClassicFailure,
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
  type DefineError,
  defineError,
  defineErrorOf,
  type ErrorClass,
  FrameError,
  isServiceLinkError,
  JsonError,
  MethodError,
  NotFoundError,
  NotSignedInError,
  ParameterError,
  type ParameterKind,
  ServiceLinkError,
  SupersededError,
  WebAppError,
} from './errors/index.ts'
export {
  decodeJson,
  decodeText,
  encodeFrame,
  encodeFrames,
  FrameDecoder,
  type FrameText,
  frameHeaderBytes,
  maxJsonDepth,
  maxReplyFrameBytes,
  maxRequestFrameBytes,
  measureFrame,
} from './frame/frame.ts'
export type { JsonValue } from './frame/parse-json.ts'
export {
  comparableSsn,
  compareIdentityNumbers,
  type NumberedPerson,
  normalizeIdentityNumber,
} from './person/identity-number.ts'
export { isKnownCulture, machineCulture } from './person/machine-culture.ts'
export {
  DateError,
  parseDate,
  parseIsoDate,
  readIsoDate,
} from './person/parse-date.ts'
export {
  claimNamesOf,
  claimsFromPayload,
  contactSchema,
  type ExtraClaims,
  endSchema,
  isEnd,
  lenientEndSchema,
  lenientPayloadSchema,
  payloadSchema,
  personFromContact,
  writtenPayloadSchema,
} from './person/payload.ts'
export {
  type LaunchPerson,
  personSchema,
  type SelectablePerson,
} from './person/person.ts'
export {
  describeField,
  fieldsIn,
  type PersonField,
  type PersonFieldKey,
  type PersonFieldName,
  type PersonTransport,
  personFieldNames,
  personFields,
} from './person/person-fields.ts'
export type {
  ContactClaims,
  EndClaims,
  PayloadClaims,
  Person,
  ProfileEntry,
  WrittenProfileEntry,
} from './person/person-types.ts'
export {
  maxProfileEntries,
  profileEntrySchema,
} from './person/profile-data.ts'
export {
  type ReadFieldsOptions,
  readPersonFields,
  writePersonFields,
} from './person/read-person.ts'
export { memberNamesOf, toWire, wirePath } from './schema/names.ts'
export { issuesOf, type Reading, readBy } from './schema/read.ts'
export {
  keepable,
  optionalId,
  optionalText,
  optionalWireInteger,
  requiredId,
} from './schema/text-field.ts'
export {
  isSessionMethod,
  parseClassicCommand,
  parseSessionCall,
  type SessionCall,
  type SessionMethod,
} from './session/parse-request.ts'
export {
  readSessionMessage,
  readSessionResult,
  type SessionCallName,
  type SessionMessage,
  type SessionResult,
  sessionProtocol,
  writeSessionEvent,
  writeSessionFailure,
  writeSessionReply,
  writeSessionRequest,
} from './session/session-message.ts'
export {
  type EndReason,
  endReasonSchema,
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
} from './session/session-table.ts'
export { foldNames, indexNames } from './text/fold-names.ts'
export {
  findIdProblem,
  findTextProblem,
  maxLaunchArguments,
  maxTextLength,
  readFlag,
  readInteger,
  trimText,
} from './text/text-rules.ts'
export { isThisMachine } from './text/this-machine.ts'
export {
  assertBrand,
  type Brand,
  BrandError,
  type BrandOptions,
  type BuiltInProvider,
  defaultBrand,
  defineBrand,
  FolderVariableError,
  findBuiltInProvider,
  folderVariable,
  foldTypeName,
  installFileName,
  loginDisplay,
  pipeAddress,
  pipeName,
  readTypeName,
  type TypeName,
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
export {
  type HandOffOutcome,
  type HandOffRequest,
  handOffOutcomeSchema,
  handOffRequestSchema,
  type Launch,
  launchSchema,
} from './wrapper/hand-off.ts'
export {
  type Installation,
  maxInstallationBytes,
  parseInstallation,
} from './wrapper/installation.ts'
export {
  type SettingDefinition,
  type SettingName,
  type SettingScope,
  type Settings,
  settingsTable,
  type UserSettingName,
} from './wrapper/settings-table.ts'
export { type WrapperRecord, wrapperRecordSchema } from './wrapper/wrapper-record.ts'
