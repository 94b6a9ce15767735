import { isUtf8 } from 'node:buffer'
import { FrameError, JsonError } from '../errors/command-error.ts'
import { assertMeasure } from '../errors/parameter-error.ts'
import { maxJsonDepth, parseJson } from './parse-json.ts'

export { maxJsonDepth }

/** Largest body of a request frame, in bytes: 1 MiB. */
export const maxRequestFrameBytes = 1024 * 1024

/** Largest body of a reply frame, in bytes: 16 MiB. */
export const maxReplyFrameBytes = 16 * 1024 * 1024

/** Size of the length that precedes each body, in bytes. */
export const frameHeaderBytes = 4

function checkLimit(maxFrameBytes: number): number {
  assertMeasure('options.maxFrameBytes', maxFrameBytes, { what: 'a whole number of bytes', isWhole: true })
  return maxFrameBytes
}

/** Options of {@link encodeFrame}. */
export interface EncodeFrameOptions {
  /** Largest body in bytes. Default 16 MiB, the limit of a reply. */
  readonly maxFrameBytes?: number | undefined
}

/**
 * Puts a text into one frame: four bytes of length, little-endian signed, then the text as UTF-8 (design: pipe protocol).
 *
 * @param text the body, JSON or bare text; at least one byte
 * @returns header and body in one piece, so that a socket needs one write
 * @throws {FrameError} if the body is empty or longer than `maxFrameBytes`
 * @throws {ParameterError} if `maxFrameBytes` is not 1 to 2,147,483,647
 * @example
 * ```ts
 * import { encodeFrame } from '@service-link/protocol-core/frame'
 *
 * const bytes = encodeFrame('{"Method":"version"}') // 4 + 20 bytes
 * ```
 */
export function encodeFrame(text: string, options: EncodeFrameOptions = {}): Uint8Array {
  return encodeFrames([measureFrame(text, options)])
}

/** The body of a frame, before it is bytes. */
export interface FrameText {
  readonly text: string
  /** Length of the text as UTF-8, in bytes. */
  readonly length: number
}

/** Checks the length of a body, as {@link encodeFrame} does. */
export function measureFrame(text: string, options: EncodeFrameOptions = {}): FrameText {
  const maxFrameBytes = checkLimit(options.maxFrameBytes ?? maxReplyFrameBytes)
  const length = Buffer.byteLength(text)
  const error = findLengthError(length, maxFrameBytes)
  if (error) throw error
  return { text, length }
}

/** Puts texts into frames, one behind the other in one piece. */
export function encodeFrames(frames: readonly FrameText[]): Uint8Array {
  let size = 0
  for (const { length } of frames) size += frameHeaderBytes + length
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const { text, length } of frames) {
    at = bytes.writeInt32LE(length, at)
    at += bytes.write(text, at)
  }
  return bytes
}

/** Returns the problem of a frame's length; `undefined` when it has none. */
function findLengthError(length: number, maxFrameBytes: number, hint = ''): FrameError | undefined {
  const problem =
    length < 1 ? 'not allowed: at least 1 is needed' : `longer than the limit of ${maxFrameBytes}`
  if (length >= 1 && length <= maxFrameBytes) return undefined
  return new FrameError(`A frame of ${length} bytes is ${problem}.${hint}`, length)
}

const headerHint = ' Begin each frame with its length: four bytes, the lowest first.'

const nothing = new Uint8Array(0)

/** Options of {@link FrameDecoder}. */
export interface FrameDecoderOptions {
  /** Largest body in bytes. A longer one is refused when its length is read; none of it is kept. */
  readonly maxFrameBytes: number
}

/**
 * Cuts a byte stream into frame bodies, wherever its chunks begin and end. Holds at most one unfinished frame, and for
 * that no more memory than twice what has arrived, or 4 KiB.
 *
 * After a bad length the decoder refuses more: the next frame's start is unknown. Earlier complete frames are
 * returned, see {@link FrameDecoder.failure}.
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
  readonly #maxFrameBytes: number
  /** The four bytes of the length so far, as one number. */
  #header = 0
  #headerFilled = 0
  /** The part of the body that has arrived. Grows with the bytes received, not with the announced length. */
  #body: Uint8Array = nothing
  #bodyFilled = 0
  #bodyLength = 0
  #failure: FrameError | undefined

  /** @throws {ParameterError} if `maxFrameBytes` is not 1 to 2,147,483,647 */
  constructor(options: FrameDecoderOptions) {
    this.#maxFrameBytes = checkLimit(options.maxFrameBytes)
  }

  /** Whether a frame has begun and is not complete. */
  get isInsideFrame(): boolean {
    return this.#headerFilled > 0
  }

  /** The error, once a length below 1 or above the limit was read. */
  get failure(): FrameError | undefined {
    return this.#failure
  }

  /**
   * Takes the next bytes of the stream. Bodies may share the memory of the chunk: do not write to it afterwards.
   *
   * @returns the bodies that became complete, in order. If a bad length follows them in the same chunk, {@link failure} is
   *   set, and the next call throws it
   * @throws {FrameError} if a length is below 1 or above the limit
   */
  push(chunk: Uint8Array): Uint8Array[] {
    if (this.#failure) throw this.#failure
    const bodies: Uint8Array[] = []
    let offset = 0
    while (offset < chunk.length) {
      if (this.#headerFilled < frameHeaderBytes) {
        offset = this.#readHeader(chunk, offset)
        if (!this.#failure) continue
        if (bodies.length === 0) throw this.#failure
        return bodies
      }
      const end = Math.min(chunk.length, offset + this.#bodyLength - this.#bodyFilled)
      const body = this.#completeBody(chunk.subarray(offset, end))
      if (body) bodies.push(body)
      offset = end
    }
    return bodies
  }

  /**
   * Ends the stream.
   *
   * @throws {FrameError} if it ended inside a frame, or with a bad length
   */
  end(): void {
    if (this.#failure) throw this.#failure
    if (this.isInsideFrame) throw new FrameError('The connection ended inside a frame.')
  }

  #readHeader(chunk: Uint8Array, from: number): number {
    let offset = from
    while (offset < chunk.length && this.#headerFilled < frameHeaderBytes) {
      // The shift by 24 makes the highest bit the sign: the length is signed.
      this.#header |= (chunk[offset++] ?? 0) << (8 * this.#headerFilled++)
    }
    if (this.#headerFilled === frameHeaderBytes) {
      this.#bodyLength = this.#header
      this.#header = 0
      // Text without a length, and a length in the other byte order, are beyond any frame.
      const isStrange = this.#bodyLength < 0 || this.#bodyLength > maxReplyFrameBytes
      this.#failure = findLengthError(this.#bodyLength, this.#maxFrameBytes, isStrange ? headerHint : '')
    }
    return offset
  }

  #completeBody(piece: Uint8Array): Uint8Array | undefined {
    const filled = this.#bodyFilled + piece.length
    if (filled < this.#bodyLength) {
      this.#keep(piece)
      return undefined
    }
    let body = piece
    if (this.#bodyFilled > 0) {
      this.#keep(piece)
      body = this.#body.subarray(0, filled)
      this.#body = nothing
    }
    this.#headerFilled = 0
    this.#bodyFilled = 0
    return body
  }

  #keep(piece: Uint8Array): void {
    const filled = this.#bodyFilled + piece.length
    if (filled > this.#body.length) {
      // Not zeroed: only what has arrived is given out.
      const grown = Buffer.allocUnsafeSlow(Math.min(this.#bodyLength, Math.max(filled * 2, 4096)))
      grown.set(this.#body.subarray(0, this.#bodyFilled))
      this.#body = grown
    }
    this.#body.set(piece, this.#bodyFilled)
    this.#bodyFilled = filled
  }
}

/**
 * Reads a frame body as text, without its byte order mark. Drops what follows NULs at its end, if it is white space only: programs
 * that count the end of a C string send one.
 *
 * @throws {JsonError} if the bytes are not UTF-8
 */
export function decodeText(body: Uint8Array): string {
  if (!isUtf8(body)) throw new JsonError('The frame is not UTF-8 text.')
  // Quicker than a `TextDecoder`: twice for a list with letters beyond ASCII.
  const bytes = body instanceof Buffer ? body : Buffer.from(body.buffer, body.byteOffset, body.length)
  const text = bytes.toString('utf8', 0, lengthWithoutNuls(body))
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

function lengthWithoutNuls(body: Uint8Array): number {
  let length = body.length
  for (let at = length - 1; at >= 0 && (body[at] ?? 0x20) <= 0x20; at--) if (body[at] === 0) length = at
  return length
}

/** Options of {@link decodeJson}. */
export interface DecodeJsonOptions {
  /**
   * Deepest nesting of objects and arrays; default {@link maxJsonDepth}. Use `Infinity` for a trusted sender only: the
   * parser takes any depth, but code that recurses over the value may not.
   */
  readonly maxDepth?: number | undefined
}

/**
 * Reads a frame body as JSON. Of members of one object that have the same name, the last one counts.
 *
 * @throws {JsonError} if the bytes are not UTF-8 or not JSON, or objects and arrays are nested deeper than `maxDepth`;
 *   the message never quotes them
 */
export function decodeJson(body: Uint8Array, options: DecodeJsonOptions = {}): unknown {
  return parseJson(decodeText(body), options.maxDepth)
}
