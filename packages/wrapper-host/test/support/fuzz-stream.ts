import { encodeFrame } from '@service-link/protocol-core/frame'
import { fuzzEnvelope } from './fuzz-envelope.ts'
import type { FuzzRandom } from './fuzz-random.ts'

/** Bytes of a client over one connection. */
export interface FuzzStream {
  /** Pieces that begin and end anywhere. */
  readonly pieces: readonly Buffer[]
  /** Number of frames, changed or not. */
  readonly frameCount: number
  readonly isSession: boolean
  /** Whether the stream consists of whole frames, so that each needs one answer. */
  readonly isFrames: boolean
}

/** @param maxFrames limit; an invalid length ends the stream early, because nothing after it is read */
export function fuzzStream(random: FuzzRandom, maxFrames: number): FuzzStream {
  const isSession = random.chance(0.6)
  const frames = [isSession ? frameOf('{"Id":"first","Method":"hello"}') : fuzzFrame(random, false)]
  let isFrames = true
  // More than may be in flight.
  if (isSession && random.chance(0.1))
    for (let count = 0; count < 100; count++)
      frames.push(frameOf(`{"Id":"more-${count}","Method":"getlistofusers"}`))
  while (isSession && isFrames && frames.length < maxFrames) {
    const frame = fuzzFrame(random, true)
    isFrames = !random.chance(0.004)
    frames.push(isFrames ? frame : withWrongLength(random, frame))
  }
  const bytes = Buffer.concat(frames)
  const isCut = random.chance(0.1)
  return {
    pieces: cutAnywhere(random, isCut ? bytes.subarray(0, random.integer(bytes.length)) : bytes),
    frameCount: frames.length,
    isSession,
    isFrames: isFrames && !isCut,
  }
}

function fuzzFrame(random: FuzzRandom, isSession: boolean): Buffer {
  const text = fuzzEnvelope(random, isSession && random.chance(0.95))
  const kind = random.integer(10)
  if (kind < 6) return frameOf(text)
  if (kind === 6) return frameOf(changeText(random, text))
  if (kind === 7)
    return frameOf(random.pick(['null', '[]', '7', '"text"', ' ', '\0', '\ufeff{}', '{}{}', '[[[']))
  const frame = frameOf(text)
  if (kind === 8)
    for (let count = random.integer(30); count > 0; count--)
      frame[4 + random.integer(frame.length - 4)] = random.integer(256)
  else for (let count = 1 + random.integer(3); count > 0; count--) flipBit(random, frame)
  return frame
}

function frameOf(text: string): Buffer {
  return Buffer.from(encodeFrame(text === '' ? ' ' : text))
}

/** Flips a bit of the body. */
function flipBit(random: FuzzRandom, frame: Buffer): void {
  const at = 4 + random.integer(frame.length - 4)
  frame[at] = (frame[at] ?? 0) ^ (1 << random.integer(8))
}

function changeText(random: FuzzRandom, text: string): string {
  const [from, to] = [random.integer(text.length), random.integer(text.length)].sort((a, b) => a - b)
  const [start, middle, end] = [text.slice(0, from), text.slice(from, to), text.slice(to)]
  return random.pick([start, start + end, start + middle + middle + end, end + start, `${text}${middle}`])
}

function withWrongLength(random: FuzzRandom, frame: Buffer): Buffer {
  const length = frame.length - 4
  const lies = [0, -1, -(2 ** 31), 2 ** 31 - 1, 1024 * 1024 + 1, 1024 * 1024, length + 1, length - 1, 3]
  frame.writeInt32LE(random.pick(lies))
  return frame
}

function cutAnywhere(random: FuzzRandom, bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  const longest = random.pick([3, 100, 5000, 200_000])
  // Single bytes for the first pieces only, because they are many.
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + random.integer(pieces.length < 200 ? longest : 200_000)
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}
