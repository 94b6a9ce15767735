import * as base64url from 'jose/base64url'

/**
 * Decodes base64url without padding; `undefined` for any text but the one that its bytes encode to. jose's decoder skips padding
 * and white space, and drops the spare bits of the last character: if these are not 0, the same bytes have several texts (RFC 4648,
 * 3.5).
 */
export function readBase64url(text: string): Uint8Array | undefined {
  try {
    const bytes = base64url.decode(text)
    return base64url.encode(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
