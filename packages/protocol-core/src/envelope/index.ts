export {
  type ClassicFailure,
  type ClassicOutcome,
  classicFailureSchema,
  readClassicReply,
  writeClassicFailure,
  writeClassicReply,
} from './classic-reply.ts'
export { parseClassicCommand, writeClassicRequest } from './classic-request.ts'
export { decodeRequest, type RequestEnvelope } from './request-envelope.ts'
export { maxSessionIdLength, type SessionId } from './session-id.ts'
