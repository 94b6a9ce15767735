import type { Picture } from './draw-icon.ts'

const directoryBytes = 22
const headerBytes = 40

/** Writes a picture of at most 255 pixels as a Windows icon, uncompressed: so every version of Windows reads small ones. */
export function encodeIco({ size, pixels }: Picture): Uint8Array {
  const colours = Buffer.alloc(size * size * 4)
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const from = (row * size + column) * 4
      const [red = 0, green = 0, blue = 0, opacity = 0] = pixels.subarray(from, from + 4)
      // From the bottom to the top, blue first.
      colours.set([blue, green, red, opacity], ((size - 1 - row) * size + column) * 4)
    }
  // Empty: the opacity of the pixels counts. Its rows are filled up to four bytes.
  const mask = Buffer.alloc(Math.ceil(size / 32) * 4 * size)

  const directory = Buffer.alloc(directoryBytes)
  directory.writeUInt16LE(1, 2)
  directory.writeUInt16LE(1, 4)
  directory.set([size, size], 6)
  directory.writeUInt16LE(1, 10)
  directory.writeUInt16LE(32, 12)
  directory.writeUInt32LE(headerBytes + colours.length + mask.length, 14)
  directory.writeUInt32LE(directoryBytes, 18)

  const header = Buffer.alloc(headerBytes)
  header.writeUInt32LE(headerBytes, 0)
  header.writeInt32LE(size, 4)
  // Both halves, colours and mask, count.
  header.writeInt32LE(size * 2, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(32, 14)
  return Buffer.concat([directory, header, colours, mask])
}
