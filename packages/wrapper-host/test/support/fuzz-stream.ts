import { encodeFrame } from '@service-link/protocol-core/frame'

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

/** Secret text in arguments. No answer and no log may hold it. */
export const planted = 'qzPlantedqz'

/** Text of a request of either mode, changed or not. */
function fuzzEnvelope(random: FuzzRandom, isSession: boolean): string {
  const members: [string, unknown][] = [
    [random.pick(['Method', 'Method', 'method', 'METHOD']), random.pick(methods)],
    [random.pick(['Args', 'Args', 'args']), fuzzArgs(random)],
  ]
  if (isSession) members.push(['Id', random.chance(0.8) ? random.integer(40) : random.pick(ids)])
  if (random.chance(0.1)) members.push([random.pick(names), fuzzValue(random)])
  if (random.chance(0.1)) members.splice(random.integer(members.length), 1)
  if (random.chance(0.1)) members.push([random.pick(members)?.[0] ?? 'Id', fuzzValue(random)])
  return writeMembers(random.shuffle(members))
}

/** All commands but close, which would exit the wrapper. */
const methods: readonly unknown[] = [
  ...['version', 'hide', 'show', 'openworkout', 'setcustomid', 'selectperson', 'selectperson'],
  ...['getlistofusers', 'getworkoutsforclient', 'queryexercises', 'queryworkouts', ' VERSION '],
  ...['hello', 'status', 'subscribe', 'subscribe', 'cancel', 'cancel', 'Cancel'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', planted, '', 'x'.repeat(5000)],
  ...[null, 7, {}, [], true],
]

/** Ids of all kinds, most of them wrong. */
const ids: readonly unknown[] = [
  ...[0, -1, 1.5, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 'a', 'x'.repeat(64), 'x'.repeat(65), ''],
  ...['__proto__', 'constructor', '\ud800', '\0', '😀', null, true, {}, [], [1]],
]

const names = [
  ...['id', 'customid', 'userid', 'firstname', 'lastname', 'phonehome', 'email', 'dateofbirth', 'gender'],
  ...['profiledata', 'from', 'text', 'events', '__proto__', 'constructor', 'prototype', 'toString', 'then'],
  ...['ID', 'CustomId', 'toJSON', '', '\0', 'x'.repeat(300)],
]

function fuzzArgs(random: FuzzRandom): unknown {
  if (random.chance(0.1)) return fuzzValue(random)
  const valid = {
    ...(random.chance(0.7) ? { id: random.integer(40), userid: random.integer(3) } : {}),
    ...(random.chance(0.5) ? person : {}),
    ...(random.chance(0.5) ? { text: planted, customid: 'c' } : {}),
    ...(random.chance(0.5) ? { events: ['signedin', 'personselected', 'nothing', 'Closing'] } : {}),
  }
  const members: [string, unknown][] = Object.entries(valid)
  for (let count = random.integer(4); count > 0; count--)
    members.push([random.pick(names) ?? '', fuzzValue(random)])
  return new RawJson(writeMembers(members))
}

const person = {
  customid: 'c',
  firstname: 'A',
  lastname: 'B',
  email: `${planted}@example.org`,
  phonehome: planted,
  dateofbirth: '03.04.1980',
  profiledata: [{ key: planted, value: planted, customkey: planted }],
}

function fuzzValue(random: FuzzRandom): unknown {
  return random.pick<() => unknown>([
    () => planted,
    () => random.pick(['', ' ', 'true', '0', '17', '2016-06-01 10:00', '31.02.2020', '\ud800', '\u202e']),
    () => random.pick([0, -1, 1e21, 1.5, 2 ** 31, null, true, false]),
    () => new RawJson(random.pick(['1e999', '-0', '9'.repeat(400), '0.1e-400', '123456789012345678901'])),
    () => nested(random.integer(300), '[', '1', ']'),
    () => nested(random.integer(300), '{"a":', '1', '}'),
    () => nested(random.integer(100_000), '[', '', ''),
    () => Array.from({ length: random.integer(200) }, () => planted),
    () => Object.fromEntries(names.map(name => [name, planted])),
    () => new RawJson('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}'),
    () => planted.repeat(random.integer(2000)),
  ])()
}

function nested(depth: number, open: string, inner: string, close: string): RawJson {
  return new RawJson(open.repeat(depth) + inner + close.repeat(depth))
}

/** JSON that JavaScript never writes. */
class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Writes an object with possible duplicate members. */
function writeMembers(members: readonly (readonly [string, unknown])[]): string {
  const written = members.map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${value instanceof RawJson ? value.text : JSON.stringify(value)}`,
  )
  return `{${written.join(',')}}`
}

/** Random choices. The same seed gives the same choices. */
export class FuzzRandom {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seededRandom(seed)
  }

  /** From 0 to below the bound; 0 for one below 1. */
  integer(below: number): number {
    return Math.floor(this.#next() * below)
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  /** @throws {RangeError} when the list is empty */
  pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new RangeError('There is nothing to choose from.')
    return values[this.integer(values.length)] as Value
  }

  shuffle<Value>(values: readonly Value[]): Value[] {
    return values
      .map(value => ({ value, key: this.#next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value)
  }
}

/** Numbers from 0 to below 1, equal for equal seeds (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
