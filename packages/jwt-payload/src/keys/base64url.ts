import * as base64url from 'jose/base64url'

/** Node's own codec is the fastest. A page's polyfill of it may not know base64url. */
const buffer = globalThis.Buffer?.isEncoding('base64url') ? globalThis.Buffer : undefined

/**
 * Decodes base64url without padding; `undefined` for any text but the one that its bytes encode to. Decoders skip padding and white
 * space, some also other characters, and all drop the spare bits of the last character: if these are not 0, the same bytes have
 * several texts (RFC 4648, 3.5).
 */
export function readBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (buffer) {
    const bytes = buffer.from(text, 'base64url')
    return bytes.toString('base64url') === text ? bytes : undefined
  }
  try {
    const bytes = Uint8Array.from(base64url.decode(text))
    return base64url.encode(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
