import type { PayloadAlgorithm } from '../keys/algorithms.ts'
import { childrenOf, derTags, readElement } from '../keys/der.ts'
import { KeyImportError } from '../keys/key-errors.ts'

/** Bytes of each of the two numbers in an ECDSA signature of a JWS (RFC 7518, 3.4). */
const numberBytes: Partial<Record<PayloadAlgorithm, number>> = { ES256: 32, ES384: 48, ES512: 66 }

/**
 * Writes an ECDSA signature that is in DER, as OpenSSL and Java give it, the way a JWS has it.
 *
 * @returns `undefined` when it is no DER, or the algorithm is another
 */
export function signatureFromDer(
  signature: Uint8Array<ArrayBuffer>,
  algorithm: PayloadAlgorithm,
): Uint8Array<ArrayBuffer> | undefined {
  const size = numberBytes[algorithm]
  if (size === undefined || signature[0] !== derTags.sequence) return undefined
  try {
    const sequence = readElement(signature, 0)
    const numbers = childrenOf(signature, sequence)
    if (sequence.end !== signature.length || numbers.length !== 2) return undefined
    const raw = new Uint8Array(2 * size)
    for (const [index, { tag, contentStart, end }] of numbers.entries()) {
      const number = withoutSign(signature.subarray(contentStart, end))
      if (tag !== derTags.integer || number.length > size) return undefined
      raw.set(number, (index + 1) * size - number.length)
    }
    return raw
  } catch (error) {
    if (error instanceof KeyImportError) return undefined
    throw error
  }
}

/** DER puts a 0 before a number whose first bit is set. */
function withoutSign(number: Uint8Array): Uint8Array {
  return number[0] === 0 ? number.subarray(1) : number
}
