import { base64url } from 'jose'

/** Decodes base64url. The library's bytes are its own: nobody else holds their buffer. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = base64url.decode(text)
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    : Uint8Array.from(bytes)
}

/** Whether a value is base64url without padding, of at least one byte. Some decoders skip what is not. */
export function isBase64url(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/[^\w-]/.test(value) && hasCanonicalEnd(value)
}

/**
 * Whether the bits that the last character has too many are 0. A decoder drops them: otherwise the same bytes could be written
 * in several ways (RFC 4648, 3.5).
 */
export function hasCanonicalEnd(text: string): boolean {
  switch (text.length % 4) {
    case 0:
      return true
    case 2:
      return /[AQgw]$/.test(text)
    case 3:
      return /[AEIMQUYcgkosw048]$/.test(text)
    default:
      return false
  }
}
