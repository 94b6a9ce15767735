import { decodeBase64url } from './base64url.ts'
import { KeyImportError } from './key-errors.ts'

const p = (1n << 255n) - 19n
const orderEight = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n

/** The y of the points of small order, in the two ways in which some of them can be written (RFC 8032, 5.1). */
const smallOrder: ReadonlySet<bigint> = new Set([0n, 1n, p - 1n, p, p + 1n, orderEight, p - orderEight])

/**
 * Refuses a public key of small order: for such a key there are signatures that fit any message. Some runtimes refuse to
 * verify with it, others do not.
 *
 * @param x member `x` of the JWK
 * @throws {KeyImportError} when the key is one of the eight points of small order
 */
export function assertEd25519Strength(x: string | undefined, kind: string): void {
  const bytes = decodeBase64url(x ?? '')
  // The highest bit is the sign of the other coordinate.
  const y = BigInt.asUintN(
    255,
    bytes.reduceRight((value, byte) => value * 256n + BigInt(byte), 0n),
  )
  if (smallOrder.has(y)) throw new KeyImportError(kind, 'its point has a small order; make another key')
}
