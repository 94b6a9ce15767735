import { base64url } from 'jose'

/** Decodes base64url. The library's bytes are its own: nobody else holds their buffer. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  const bytes = base64url.decode(text)
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    : Uint8Array.from(bytes)
}
