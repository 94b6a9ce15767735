/**
 * What the bytes 0x80 to 0x9F are in Windows-1252; U+FFFD where it has none. Written out because the decoders of some
 * Node releases take these bytes for the control characters of ISO-8859-1.
 */
const upperControls =
  '\u20ac\ufffd\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\ufffd\u017d\ufffd' +
  '\ufffd\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\ufffd\u017e\u0178'

/**
 * Reads bytes as Windows-1252, whose other bytes are the first 256 characters of Unicode.
 *
 * @returns the text, or the offset of the first byte that has no character
 */
export function decodeWindows1252(bytes: Uint8Array): string | { readonly badByteAt: number } {
  const pairs = new Uint8Array(bytes.length * 2)
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    const unit = byte >= 0x80 && byte <= 0x9f ? upperControls.charCodeAt(byte - 0x80) : byte
    if (unit === 0xfffd) return { badByteAt: index }
    pairs[index * 2] = unit & 0xff
    pairs[index * 2 + 1] = unit >> 8
  }
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(pairs)
}
