import { KeyImportError } from './key-errors.ts'

/** Shortest RSA key, in bits. */
export const minRsaBits = 2048

/** Longest RSA key, in bits: a longer one only costs time. */
export const maxRsaBits = 8192

/** Smallest and largest public exponent (FIPS 186-5, 5.4 (e)). With 1 a signature is its own message, and anybody can write it. */
const minExponent = 65_537n
const maxExponent = 1n << 256n

/**
 * @throws {KeyImportError} when an RSA key is shorter than {@link minRsaBits} or longer than {@link maxRsaBits}, or its public
 * exponent is even, below 65,537 or above 2^256
 */
export function assertRsaStrength({ algorithm }: CryptoKey, kind: string): void {
  const bits = 'modulusLength' in algorithm ? Number(algorithm.modulusLength) : 0
  if (bits < minRsaBits)
    throw new KeyImportError(kind, `its RSA modulus has ${bits} bits and needs at least ${minRsaBits}`)
  if (bits > maxRsaBits)
    throw new KeyImportError(kind, `its RSA modulus has ${bits} bits and may have at most ${maxRsaBits}`)
  const exponent = 'publicExponent' in algorithm ? readInteger(algorithm.publicExponent) : 0n
  if (exponent % 2n === 0n || exponent < minExponent || exponent > maxExponent)
    throw new KeyImportError(
      kind,
      'its RSA exponent must be odd and at least 65537; make a key with the usual exponent, 65537',
    )
}

/** 0 for what is no number, or far too long for one. */
function readInteger(bytes: unknown): bigint {
  // Not by its class: that of another realm, in which WebCrypto may live, is another one.
  if (!ArrayBuffer.isView(bytes) || bytes.byteLength > 64) return 0n
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).reduce(
    (value, byte) => value * 256n + BigInt(byte),
    0n,
  )
}
