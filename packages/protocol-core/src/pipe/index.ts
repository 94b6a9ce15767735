// Requests, replies and events of the pipe without their schemas: for clients, which must not load a schema library.
export {
  type ClassicCommandName,
  type CommandName,
  commandNames,
  isClassicCommandName,
  type SessionEventName,
  type SessionMethodName,
  sessionEventNames,
  usualEventNames,
} from '../command/replies.ts'
export { argsFromPerson, personFromArgs } from '../command/select-person.ts'
export {
  readClassicReply,
  writeClassicFailure,
  writeClassicReply,
  writeClassicRequest,
} from '../envelope/classic.ts'
export {
  decodeRequest,
  maxSessionIdLength,
  type RequestEnvelope,
  type SessionId,
} from '../envelope/request-envelope.ts'
export { readIsoDate } from '../person/parse-date.ts'
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
} from '../session/session-message.ts'
export { trimText } from '../text/text-rules.ts'
export { type FromWire, fromWire, toWire, wireNameOf } from '../text/wire-names.ts'
export {
  compareVersions,
  type FourPartVersion,
  formatVersion,
  minimumPipeVersion,
  parseVersion,
  VersionError,
} from '../wrapper/four-part-version.ts'
export { type InstallRecord, maxInstallRecordBytes, parseInstallRecord } from '../wrapper/install-record.ts'
