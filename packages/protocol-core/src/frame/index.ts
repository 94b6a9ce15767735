// Frames of the pipe; an own entry, so that a short-lived process need not load the schemas.
export { type DecodeJsonOptions, decodeJson, decodeText } from './decode-text.ts'
export { type EncodeFrameOptions, encodeFrame } from './encode-frame.ts'
export { FrameDecoder, type FrameDecoderOptions } from './frame-decoder.ts'
export { frameHeaderBytes, maxJsonDepth, maxReplyFrameBytes, maxRequestFrameBytes } from './limits.ts'
