import { crc32, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { drawIcon } from './draw-icon.ts'
import { encodeIco } from './encode-ico.ts'
import { encodePng } from './encode-png.ts'

const picture = drawIcon(32)
const pixel = (column: number, row: number) => [
  ...picture.pixels.subarray((row * 32 + column) * 4, (row * 32 + column) * 4 + 4),
]

test('the icon is a window: nothing in its corners, a frame, a light page', () => {
  expect(pixel(0, 0)).toEqual([0, 0, 0, 0])
  expect(pixel(16, 6)).toEqual([37, 99, 168, 255])
  expect(pixel(16, 12)).toEqual([255, 255, 255, 255])
})

test('as PNG it has every pixel, and chunks whose sums are right', () => {
  const png = Buffer.from(encodePng(picture))
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(png.subarray(at + 4, at + 8 + length)))
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    })
    at += length + 12
  }
  expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'IDAT', 'IEND'])
  const rows = inflateSync(chunks[1]?.data ?? Buffer.alloc(0))
  const pixels = Array.from({ length: 32 }, (_, row) => rows.subarray(row * 129 + 1, (row + 1) * 129))
  expect(Buffer.concat(pixels).equals(picture.pixels)).toBe(true)
})

test('as a Windows icon it says where its picture is and how long, and holds it upside down', () => {
  const ico = Buffer.from(encodeIco(picture))
  const [bytes, offset] = [ico.readUInt32LE(14), ico.readUInt32LE(18)]
  expect([ico.readUInt16LE(2), ico[6], ico[7], offset + bytes]).toEqual([1, 32, 32, ico.length])
  expect([ico.readInt32LE(offset + 4), ico.readInt32LE(offset + 8)]).toEqual([32, 64])
  const lastRow = offset + 40 + (31 - 6) * 32 * 4
  expect([...ico.subarray(lastRow + 16 * 4, lastRow + 17 * 4)]).toEqual([168, 99, 37, 255])
})
