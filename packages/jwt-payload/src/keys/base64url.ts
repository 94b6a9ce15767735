import * as base64url from 'jose/base64url'

/** Decodes base64url into a new buffer. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = base64url.decode(text)
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    : Uint8Array.from(bytes)
}

/**
 * Whether a value is base64url without padding, of at least one byte. Some decoders skip other characters, and all drop the
 * spare bits of the last character: if these are not 0, the same bytes have several texts (RFC 4648, 3.5).
 */
export function isBase64url(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || /[^\w-]/.test(value)) return false
  const rest = value.length % 4
  return (
    rest === 0 || (rest === 2 && /[AQgw]$/.test(value)) || (rest === 3 && /[AEIMQUYcgkosw048]$/.test(value))
  )
}
