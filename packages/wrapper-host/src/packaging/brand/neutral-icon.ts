import { drawIcon } from '../../tray/icon/draw-icon.ts'
import { encodeIco } from '../../tray/icon/encode-ico.ts'

const sizes = [16, 24, 32, 48, 64, 128]
const headerBytes = 6
const entryBytes = 16

/** The neutral icon as a Windows icon file, in the sizes that Windows shows. */
export function neutralIcon(): Uint8Array {
  const icons = sizes.map(size => Buffer.from(encodeIco(drawIcon(size))))
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(icons.length, 4)
  let at = headerBytes + icons.length * entryBytes
  const entries = icons.map(icon => {
    // Each file has one picture: its entry is kept, except for the place.
    const entry = Buffer.from(icon.subarray(headerBytes, headerBytes + entryBytes))
    entry.writeUInt32LE(at, 12)
    at += icon.length - headerBytes - entryBytes
    return entry
  })
  return Buffer.concat([header, ...entries, ...icons.map(icon => icon.subarray(headerBytes + entryBytes))])
}
