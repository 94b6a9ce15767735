import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DevToolsDecoder } from './devtools-decoder.ts'

describe('DevToolsDecoder', () => {
  it('cuts messages wherever the chunks begin and end', () => {
    const message = fc.string({ unit: 'grapheme' }).filter(text => !text.includes('\0'))
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 5 }),
        fc.array(fc.nat(40), { maxLength: 20 }),
        (messages, cuts) => {
          const bytes = Buffer.from(messages.map(text => `${text}\0`).join(''))
          const decoder = new DevToolsDecoder(1000)
          const decoded: string[] = []
          let start = 0
          for (const length of [...cuts, bytes.length]) {
            decoded.push(...decoder.push(bytes.subarray(start, start + length)).messages)
            start += length
          }
          expect(decoded).toEqual(messages)
        },
      ),
    )
  })

  it.each([1, 7, 1000])('skips a message above the limit, in chunks of %i bytes, and goes on', size => {
    const decoder = new DevToolsDecoder(100)
    const bytes = Buffer.from(`first\0{"id":12,"result":"${'x'.repeat(500)}"}\0last\0`)
    const messages: string[] = []
    const oversized: string[] = []
    for (let start = 0; start < bytes.length; start += size) {
      const decoded = decoder.push(bytes.subarray(start, start + size))
      messages.push(...decoded.messages)
      oversized.push(...decoded.oversized)
    }
    expect(messages).toEqual(['first', 'last'])
    expect(oversized).toHaveLength(1)
    expect(oversized[0]).toMatch(/^\{"id":12,/)
    expect(oversized[0]?.length).toBeLessThanOrEqual(64)
  })

  it('takes a message that is exactly as long as the limit', () => {
    expect(new DevToolsDecoder(5).push(Buffer.from('12345\0')).messages).toEqual(['12345'])
  })
})
