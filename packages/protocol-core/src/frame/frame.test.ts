import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { type CodedFailure, loadVectors, thrownBy } from '../../test/support/vectors.ts'
import { FrameError, JsonError } from '../errors/command-error.ts'
import {
  decodeJson,
  decodeText,
  encodeFrame,
  FrameDecoder,
  maxJsonDepth,
  maxReplyFrameBytes,
} from './frame.ts'

const vectors = loadVectors<
  { readonly streamHex: string; readonly maxFrameBytes: number },
  { readonly bodies: readonly string[]; readonly endsInsideFrame: boolean },
  CodedFailure & { readonly bodiesBefore?: readonly string[] }
>('frames.json')

/** Feeds the pieces and returns the output up to the first failure. */
function decode(pieces: readonly Uint8Array[], maxFrameBytes: number) {
  const decoder = new FrameDecoder({ maxFrameBytes })
  const bodies: string[] = []
  try {
    for (const piece of pieces) bodies.push(...decoder.push(piece).map(decodeText))
  } catch (error) {
    return { bodies, failure: error }
  }
  return { bodies, failure: decoder.failure, endsInsideFrame: decoder.isInsideFrame }
}

describe.each(vectors)('$id: $name', ({ input, expect: expected, error }) => {
  const stream = Buffer.from(input.streamHex, 'hex')

  test('with every cut of the stream into two', () => {
    for (let at = 0; at <= stream.length; at++) {
      const found = decode([stream.subarray(0, at), stream.subarray(at)], input.maxFrameBytes)
      if (expected) expect(found).toEqual({ ...expected, failure: undefined })
      else expect(found).toMatchObject({ bodies: error?.bodiesBefore ?? [], failure: { code: error?.code } })
    }
  })
})

/** Any text that UTF-8 can carry, without NULs at its end, which do not count. */
const texts = fc.string({ unit: 'binary', maxLength: 40 }).map(text => `${text}.`)

test('an encoded frame is decoded, for any cut of the stream', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 8 }), fc.array(fc.nat(400)), (bodies, cuts) => {
      const stream = Buffer.concat(bodies.map(body => encodeFrame(body)))
      const offsets = [
        0,
        ...cuts.map(cut => Math.min(cut, stream.length)).sort((a, b) => a - b),
        stream.length,
      ]
      const pieces = offsets.slice(1).map((to, index) => stream.subarray(offsets[index], to))
      expect(decode(pieces, 1024)).toEqual({ bodies, failure: undefined, endsInsideFrame: false })
    }),
  )
})

test('any bytes make the decoder succeed or fail with FrameError', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 12 }), pieces => {
      const { failure } = decode(pieces, 64)
      expect(failure === undefined || failure instanceof FrameError || failure instanceof JsonError).toBe(
        true,
      )
    }),
  )
})

describe('FrameDecoder', () => {
  test('refuses a length above the limit before it keeps or awaits any of the body', () => {
    const decoder = new FrameDecoder({ maxFrameBytes: 16 })
    const error = thrownBy(() => decoder.push(Uint8Array.of(17, 0, 0, 0)))
    expect(error).toMatchObject({ code: 'ERR_FRAME', declaredBytes: 17 })
    expect(error).toHaveProperty('message', 'A frame of 17 bytes is longer than the limit of 16.')
  })

  test.each([
    ['text without a length', '{"Method":"version"}'],
    ['a length with the highest byte first', '\0\0\0\x14{"Method":"version"}'],
    ['a negative length', '\xff\xff\xff\xff'],
  ])('tells how a frame begins to the sender of %s', (_title, text) => {
    const decoder = new FrameDecoder({ maxFrameBytes: 16 })
    expect(thrownBy(() => decoder.push(Buffer.from(text, 'latin1')))).toMatchObject({
      message: expect.stringMatching(/Begin each frame with its length: four bytes, the lowest first\.$/),
    })
  })

  test.each([undefined, Number.NaN, 0, 2 ** 31])(
    'needs a limit that a length can have, not %s',
    maxFrameBytes => {
      const options: object = { maxFrameBytes }
      expect(() => Reflect.construct(FrameDecoder, [options])).toThrow(
        expect.objectContaining({ code: 'ERR_PARAMETER' }),
      )
    },
  )

  test('does not reserve memory for an announced body', () => {
    const announced = 512 * 1024 * 1024
    const header = new Uint8Array(5)
    new DataView(header.buffer).setInt32(0, announced, true)
    const decoders = Array.from({ length: 64 }, () => new FrameDecoder({ maxFrameBytes: announced }))
    const before = process.memoryUsage().arrayBuffers
    for (const decoder of decoders) decoder.push(header)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024)
    expect(decoders.every(decoder => decoder.isInsideFrame)).toBe(true)
  })

  test('uses memory in proportion to a body in single bytes, and so copies it in linear time', () => {
    const length = 256 * 1024
    const pieces = Array.from(encodeFrame('a'.repeat(length)), byte => Uint8Array.of(byte))
    const decoder = new FrameDecoder({ maxFrameBytes: length })
    let allocated = 0
    const allocate = Buffer.allocUnsafeSlow
    using _counting = vi.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation(size => {
      allocated += size
      return allocate(size)
    })
    let bodies: Uint8Array[] = []
    for (const piece of pieces) bodies = decoder.push(piece)
    expect(bodies.map(found => found.length)).toEqual([length])
    expect(allocated).toBeGreaterThanOrEqual(length)
    expect(allocated).toBeLessThan(3 * length)
  })

  test('passes a body in one piece on without a copy', () => {
    const chunk = encodeFrame('{"Method":"hide"}')
    const [body] = new FrameDecoder({ maxFrameBytes: 100 }).push(chunk)
    expect(body?.buffer).toBe(chunk.buffer)
  })

  test('keeps the bodies of earlier frames when later ones arrive', () => {
    const decoder = new FrameDecoder({ maxFrameBytes: 100 })
    const stream = Buffer.concat([encodeFrame('first'), encodeFrame('other')])
    const bodies = Array.from(stream, byte => decoder.push(Uint8Array.of(byte))).flat()
    expect(bodies.map(decodeText)).toEqual(['first', 'other'])
  })

  test('outputs nothing after a bad length', () => {
    const decoder = new FrameDecoder({ maxFrameBytes: 100 })
    const stream = Buffer.concat([encodeFrame('good'), new Uint8Array(4), encodeFrame('lost')])
    expect(decoder.push(stream).map(decodeText)).toEqual(['good'])
    expect(decoder.failure).toBeInstanceOf(FrameError)
    expect(thrownBy(() => decoder.push(encodeFrame('late')))).toBe(decoder.failure)
    expect(thrownBy(() => decoder.end())).toBe(decoder.failure)
  })

  test('accepts an end between frames, not inside one', () => {
    const decoder = new FrameDecoder({ maxFrameBytes: 100 })
    decoder.push(encodeFrame('whole'))
    decoder.end()
    decoder.push(Uint8Array.of(9))
    expect(thrownBy(() => decoder.end())).toBeInstanceOf(FrameError)
  })
})

describe('encodeFrame', () => {
  test('refuses an empty body, and one above the limit', () => {
    expect(thrownBy(() => encodeFrame(''))).toMatchObject({ code: 'ERR_FRAME', declaredBytes: 0 })
    expect(thrownBy(() => encodeFrame('ååå', { maxFrameBytes: 5 }))).toMatchObject({ declaredBytes: 6 })
    expect(encodeFrame('åå', { maxFrameBytes: 4 })).toHaveLength(8)
  })

  test('accepts a reply up to the default limit', () => {
    expect(encodeFrame('x'.repeat(maxReplyFrameBytes))).toHaveLength(maxReplyFrameBytes + 4)
    expect(thrownBy(() => encodeFrame('x'.repeat(maxReplyFrameBytes + 1)))).toBeInstanceOf(FrameError)
  })
})

describe('decodeText and decodeJson', () => {
  test('a byte order mark is no part of the text, in any kind of bytes', () => {
    const bytes = Buffer.from('\uFEFF{"a":"å"}')
    expect(decodeText(bytes)).toBe('{"a":"å"}')
    expect(decodeText(Uint8Array.from(bytes))).toBe('{"a":"å"}')
  })

  test.each([
    ['a byte that UTF-8 never has', [0x7b, 0xff, 0x7d]],
    ['a character that is cut off', [0x22, 0xc3]],
    ['a surrogate as UTF-8', [0xed, 0xa0, 0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
  ])('%s is refused', (_, bytes) => {
    expect(thrownBy(() => decodeText(Uint8Array.from(bytes)))).toBeInstanceOf(JsonError)
  })

  test.each([
    ['arrays', '['.repeat(maxJsonDepth), ']'.repeat(maxJsonDepth)],
    ['objects', '{"a":'.repeat(maxJsonDepth - 1), '[]'.concat('}'.repeat(maxJsonDepth - 1))],
  ])('accepts %s nested as deep as the limit and no deeper', (_, opening, closing) => {
    expect(decodeJson(Buffer.from(`${opening}${closing}`))).toBeTypeOf('object')
    expect(thrownBy(() => decodeJson(Buffer.from(`[${opening}${closing}]`)))).toBeInstanceOf(JsonError)
  })

  test('the depth limit can be changed or removed', () => {
    const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth))
    expect(decodeJson(nested(3), { maxDepth: 3 })).toEqual([[[]]])
    expect(thrownBy(() => decodeJson(nested(4), { maxDepth: 3 }))).toBeInstanceOf(JsonError)
    expect(decodeJson(nested(500_000), { maxDepth: Number.POSITIVE_INFINITY })).toHaveLength(1)
    const unclosed = Buffer.from('['.repeat(1_000_000))
    expect(thrownBy(() => decodeJson(unclosed, { maxDepth: Number.POSITIVE_INFINITY }))).toBeInstanceOf(
      JsonError,
    )
  })

  test('many brackets side by side, or in a text, are not deep', () => {
    const value = [Array.from({ length: 1000 }, () => [{}]), `\\"${'[{'.repeat(1000)}\\`]
    expect(decodeJson(Buffer.from(JSON.stringify(value)))).toEqual(value)
  })
})
