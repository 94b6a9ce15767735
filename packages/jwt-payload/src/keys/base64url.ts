import * as jose from 'jose/base64url'
import { isNode } from './node-crypto.ts'

/** Node's own where there is one: with short texts it takes a third of the time, and memory from a block that it has. */
const { decode, encode } = isNode
  ? {
      decode: (text: string): Uint8Array => Buffer.from(text, 'base64url'),
      encode: (bytes: Uint8Array) => Buffer.prototype.toString.call(bytes, 'base64url'),
    }
  : jose

/**
 * Decodes base64url without padding; `undefined` for any text but the one that its bytes encode to. Decoders skip padding and white
 * space, and drop the spare bits of the last character: if these are not 0, the same bytes have several texts (RFC 4648, 3.5).
 */
export function readBase64url(text: string): Uint8Array | undefined {
  try {
    const bytes = decode(text)
    return encode(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
