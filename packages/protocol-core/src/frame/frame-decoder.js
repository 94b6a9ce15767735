import { FrameError } from '../errors/command-error.ts';
import { findLengthError } from './encode-frame.ts';
import { frameHeaderBytes } from './limits.ts';
const nothing = new Uint8Array(0);
/**
 * Cuts a byte stream into frame bodies, wherever its chunks begin and end. Holds at most one unfinished frame, and of
 * that no more than has arrived.
 *
 * After a bad length the decoder is spent: the stream has no boundary to go on from. Frames that were complete before it
 * are not lost, see {@link FrameDecoder.failure}.
 *
 * @example
 * ```ts
 * import { encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'
 *
 * const decoder = new FrameDecoder({ maxFrameBytes: 1024 })
 * const bodies = decoder.push(encodeFrame('{}')) // [Uint8Array [123, 125]]
 * ```
 */
export class FrameDecoder {
    #maxFrameBytes;
    /** The four bytes of the length so far, as one number. */
    #header = 0;
    #headerFilled = 0;
    /** The part of the body that arrived in earlier chunks; grows with what was sent, not with what was announced. */
    #body = nothing;
    #bodyFilled = 0;
    #bodyLength = 0;
    #failure;
    constructor(options) {
        this.#maxFrameBytes = options.maxFrameBytes;
    }
    /** Whether a frame has begun and is not complete. */
    get isInsideFrame() {
        return this.#headerFilled > 0;
    }
    /** Why no further frame can come, once a length below 1 or above the limit was read. */
    get failure() {
        return this.#failure;
    }
    /**
     * Takes the next bytes of the stream. The chunk is not copied where that can be avoided: do not write to it afterwards.
     *
     * @returns the bodies that became complete, in order; when a bad length follows them in the same chunk, they are
     *   returned first, {@link failure} is set, and the next call throws it
     * @throws {FrameError} when a length is below 1 or above the limit
     */
    push(chunk) {
        if (this.#failure)
            throw this.#failure;
        const bodies = [];
        let offset = 0;
        while (offset < chunk.length) {
            if (this.#headerFilled < frameHeaderBytes) {
                offset = this.#readHeader(chunk, offset);
                if (!this.#failure)
                    continue;
                if (bodies.length === 0)
                    throw this.#failure;
                return bodies;
            }
            const end = Math.min(chunk.length, offset + this.#bodyLength - this.#bodyFilled);
            const body = this.#takeBody(chunk.subarray(offset, end));
            if (body)
                bodies.push(body);
            offset = end;
        }
        return bodies;
    }
    /**
     * Tells the decoder that the stream is over.
     *
     * @throws {FrameError} when it ended inside a frame, or with a bad length
     */
    end() {
        if (this.#failure)
            throw this.#failure;
        if (this.isInsideFrame)
            throw new FrameError('The connection ended inside a frame.');
    }
    #readHeader(chunk, from) {
        let offset = from;
        while (offset < chunk.length && this.#headerFilled < frameHeaderBytes) {
            // Shifting by 24 makes the last byte's highest bit the sign, as a signed length has it.
            this.#header |= (chunk[offset++] ?? 0) << (8 * this.#headerFilled++);
        }
        if (this.#headerFilled === frameHeaderBytes) {
            this.#bodyLength = this.#header;
            this.#header = 0;
            this.#failure = findLengthError(this.#bodyLength, this.#maxFrameBytes);
        }
        return offset;
    }
    #takeBody(piece) {
        const filled = this.#bodyFilled + piece.length;
        if (filled < this.#bodyLength) {
            this.#keep(piece);
            return undefined;
        }
        let body = piece;
        if (this.#bodyFilled > 0) {
            this.#keep(piece);
            body = this.#body.subarray(0, filled);
            this.#body = nothing;
        }
        this.#headerFilled = 0;
        this.#bodyFilled = 0;
        return body;
    }
    #keep(piece) {
        const filled = this.#bodyFilled + piece.length;
        if (filled > this.#body.length) {
            const grown = new Uint8Array(Math.min(this.#bodyLength, Math.max(filled, this.#body.length * 2, 4096)));
            grown.set(this.#body.subarray(0, this.#bodyFilled));
            this.#body = grown;
        }
        this.#body.set(piece, this.#bodyFilled);
        this.#bodyFilled = filled;
    }
}
