export {
  type ExpectedHello,
  type HelloProofInput,
  helloProofText,
  isHelloProof,
  pipeKeyBytes,
} from './hello-proof.ts'
export {
  isSessionMethod,
  parseSessionCall,
  type SessionCall,
  type SessionCallName,
  type SessionMethod,
  type SessionResult,
} from './session-call.ts'
export {
  type SessionEvent,
  type SessionEventName,
  sessionEventNames,
  sessionEvents,
} from './session-event.ts'
export {
  readSessionMessage,
  readSessionResult,
  type SessionMessage,
} from './session-message.ts'
export {
  type HelloReply,
  type SessionMethodName,
  type SubscribeReply,
  sessionMethods,
  sessionProtocol,
} from './session-method.ts'
export { writeSessionEvent, writeSessionFailure, writeSessionReply } from './session-reply.ts'
export { type SessionArgs, writeSessionRequest } from './session-request.ts'
export type { PersonInFocus, SessionStatus } from './session-status.ts'
