export { classicFailureSchema, readClassicReply, writeClassicFailure, writeClassicReply, } from './classic-reply.ts';
export { parseClassicRequest, readRequestEnvelope, writeClassicRequest } from './classic-request.ts';
