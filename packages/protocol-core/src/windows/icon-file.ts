import { openSystemLibrary } from './system-library.ts'

const headerBytes = 6
const entryBytes = 16
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

export interface IconPicture {
  /** In pixels, 1 to 256. */
  readonly width: number
  /** A PNG file, or a bitmap without file header. */
  readonly bytes: Uint8Array
  readonly isPng: boolean
}

/**
 * Reads the directory of a Windows icon.
 *
 * @returns its pictures, in the file's order; `undefined` when the bytes are no icon file, or a picture is incomplete
 */
export function readIcon(file: Uint8Array): readonly IconPicture[] | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.length < headerBytes || bytes.readUInt32LE(0) !== 0x00010000) return undefined
  const count = bytes.readUInt16LE(4)
  const directoryEnd = headerBytes + count * entryBytes
  if (count === 0 || directoryEnd > bytes.length) return undefined
  const pictures = Array.from({ length: count }, (_, index) => {
    const entry = bytes.subarray(headerBytes + index * entryBytes)
    const [width = 0] = entry
    const size = entry.readUInt32LE(8)
    const start = entry.readUInt32LE(12)
    const picture = bytes.subarray(start, start + size)
    const isPng = picture.subarray(0, pngSignature.length).equals(pngSignature)
    const isWhole = start >= directoryEnd && picture.length === size && size > 40
    // 0 means 256 pixels.
    const isPicture = isWhole && (isPng || picture.readUInt32LE(0) === 40)
    return isPicture ? { width: width || 256, bytes: picture, isPng } : undefined
  })
  return pictures.every(picture => picture !== undefined) ? pictures : undefined
}

const functions = {
  CreateIconFromResourceEx: {
    return: 'uint64',
    arguments: ['buffer', 'uint32', 'int32', 'uint32', 'int32', 'int32', 'uint32'],
  },
} as const

/** The version of the format that Windows expects. */
const formatVersion = 0x00030000

/**
 * Makes an icon of Windows from an icon file (`.ico`) or a PNG. It lasts until the process ends, or `DestroyIcon`.
 *
 * @param size width and height in pixels; the nearest larger picture of the file is scaled to it
 * @returns the handle (`HICON`); `undefined` if the bytes are neither, on other systems, and without `node:ffi`
 */
export function makeIcon(file: Uint8Array, size: number): bigint | undefined {
  const pictures = [...(readIcon(file) ?? [])].sort((a, b) => a.width - b.width)
  const picture = (pictures.find(({ width }) => width >= size) ?? pictures.at(-1))?.bytes ?? file
  const user32 = openSystemLibrary('user32', functions)
  if (!user32) return undefined
  const content = Buffer.from(picture)
  return (
    user32.CreateIconFromResourceEx(content, content.length, 1, formatVersion, size, size, 0) || undefined
  )
}
