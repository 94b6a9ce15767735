import type { PayloadAlgorithm } from '../keys/algorithms.ts'

/** Bytes of each of the two numbers in an ECDSA signature of a JWS (RFC 7518, 3.4). */
const numberBytes: Partial<Record<PayloadAlgorithm, number>> = { ES256: 32, ES384: 48, ES512: 66 }

/** Length of a signature in bytes; `undefined` for RSA, where it is that of the modulus. */
export function signatureBytes(algorithm: PayloadAlgorithm): number | undefined {
  if (algorithm.startsWith('HS')) return Number(algorithm.slice(2)) / 8
  const size = numberBytes[algorithm]
  return algorithm === 'EdDSA' ? 64 : size && 2 * size
}

/** Rewrites an ECDSA signature in DER, the form of OpenSSL and Java, to the form of a JWS. */
export function signatureFromDer(
  signature: Uint8Array,
  algorithm: PayloadAlgorithm,
): Uint8Array<ArrayBuffer> | undefined {
  const size = numberBytes[algorithm]
  // P-521 needs a length of two bytes.
  const start = signature[1] === 0x81 ? 3 : 2
  if (size === undefined || signature[0] !== 0x30 || start + (signature[start - 1] ?? 0) !== signature.length)
    return undefined
  const raw = new Uint8Array(2 * size)
  let at = start
  for (const place of [size, 2 * size]) {
    const [tag, length = 0] = signature.subarray(at, at + 2)
    // DER puts a 0 before a number whose first bit is set.
    const number = signature.subarray(signature[at + 2] === 0 ? at + 3 : at + 2, at + 2 + length)
    at += 2 + length
    if (tag !== 0x02 || number.length > size || at > signature.length) return undefined
    raw.set(number, place - number.length)
  }
  return at === signature.length ? raw : undefined
}
