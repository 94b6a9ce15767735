import { FrameError } from '../errors/command-error.ts'
import { frameHeaderBytes, maxReplyFrameBytes } from './limits.ts'

const utf8 = new TextEncoder()

/** Options of {@link encodeFrame}. */
export interface EncodeFrameOptions {
  /** Largest body in bytes. Default 16 MiB, the limit of a reply. */
  readonly maxFrameBytes?: number
}

/**
 * Puts a text into one frame: four bytes of length, little-endian signed, then the text as UTF-8 (design: pipe protocol).
 *
 * @param text the body, JSON or bare text; at least one byte
 * @returns header and body in one piece, so that a socket needs one write
 * @throws {FrameError} when the body is empty or longer than `maxFrameBytes`
 * @example
 * ```ts
 * import { encodeFrame } from '@service-link/protocol-core/frame'
 *
 * const bytes = encodeFrame('{"Method":"version"}') // 4 + 20 bytes
 * ```
 */
export function encodeFrame(text: string, options: EncodeFrameOptions = {}): Uint8Array {
  const body = utf8.encode(text)
  assertFrameLength(body.length, options.maxFrameBytes ?? maxReplyFrameBytes)
  const frame = new Uint8Array(frameHeaderBytes + body.length)
  new DataView(frame.buffer).setInt32(0, body.length, true)
  frame.set(body, frameHeaderBytes)
  return frame
}

/** Refuses a length that no frame may have. */
export function assertFrameLength(length: number, maxFrameBytes: number): void {
  if (length < 1)
    throw new FrameError(`A frame of ${length} bytes is not allowed: at least 1 is needed.`, length)
  if (length > maxFrameBytes)
    throw new FrameError(`A frame of ${length} bytes is longer than the limit of ${maxFrameBytes}.`, length)
}
