// Frames of the pipe; an own entry, so that a short-lived process need not load the schemas.
export { decodeJson, decodeText } from './decode-text.ts';
export { encodeFrame } from './encode-frame.ts';
export { FrameDecoder } from './frame-decoder.ts';
export { frameHeaderBytes, maxReplyFrameBytes, maxRequestFrameBytes } from './limits.ts';
