import { FrameError } from '../errors/command-error.ts';
import { frameHeaderBytes, maxReplyFrameBytes } from './limits.ts';
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
export function encodeFrame(text, options = {}) {
    const length = Buffer.byteLength(text);
    const error = findLengthError(length, options.maxFrameBytes ?? maxReplyFrameBytes);
    if (error)
        throw error;
    const frame = Buffer.allocUnsafe(frameHeaderBytes + length);
    frame.writeInt32LE(length, 0);
    frame.write(text, frameHeaderBytes, 'utf8');
    return frame;
}
/** Tells why no frame may have this length; `undefined` when it may. */
export function findLengthError(length, maxFrameBytes) {
    if (length < 1)
        return new FrameError(`A frame of ${length} bytes is not allowed: at least 1 is needed.`, length);
    if (length > maxFrameBytes)
        return new FrameError(`A frame of ${length} bytes is longer than the limit of ${maxFrameBytes}.`, length);
    return undefined;
}
