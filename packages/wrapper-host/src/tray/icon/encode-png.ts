import { crc32, deflateSync } from 'node:zlib'
import type { Picture } from './draw-icon.ts'

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** Eight bits a channel, with opacity. */
const bitsPerChannel = 8
const colourWithOpacity = 6

/** Writes a picture as PNG. */
export function encodePng({ size, pixels }: Picture): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([bitsPerChannel, colourWithOpacity], 8)
  // Each row begins with the number of its filter: none.
  const rows = Array.from({ length: size }, (_, row) => [
    Uint8Array.of(0),
    pixels.subarray(row * size * 4, (row + 1) * size * 4),
  ])
  const data = deflateSync(Buffer.concat(rows.flat()))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
