import type { JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { KeyImportError } from '../errors/key-errors.ts'
import { readBase64url } from './base64url.ts'

/**
 * Refuses a public key, or the public part of a private one, whose signatures others can make: jose looks only at the size of an RSA
 * key. Returns the RFC 7638 thumbprint of the public part.
 *
 * @param jwk as WebCrypto writes it: each number in one spelling
 */
export async function assertKeyStrength(jwk: JWK, kind: string): Promise<string> {
  const problem = weaknessOf(jwk)
  if (!problem) return calculateJwkThumbprint(jwk)
  // WebCrypto writes nothing for the exponent 0.
  const thumbprint = await calculateJwkThumbprint(jwk).catch(() => undefined)
  throw new KeyImportError(kind, problem, { thumbprint })
}

function weaknessOf({ kty, n, e, x }: JWK): string | undefined {
  if (kty === 'RSA') return findRsaWeakness(readInteger(n), readInteger(e))
  return kty === 'OKP' ? findEd25519Weakness(x) : undefined
}

/** Shortest RSA key, and the longest, in bits: a longer one only costs time. */
const minRsaBits = 2048
const maxRsaBits = 8192

/** Smallest and largest public exponent (FIPS 186-5, 5.4 (e)). With 1 a signature is its own message. */
const minExponent = 65_537n
const maxExponent = 1n << 256n

/** The primes to 167. Chips with the ROCA weakness used them for keys of every length. */
const smallPrimes = Array.from({ length: 166 }, (_, index) => index + 2).filter((number, _, all) =>
  all.every(other => other >= number || number % other > 0),
)

/** The part of the check that needs no modulus: all that a key in hardware tells of itself. */
export function findSizeWeakness(bits: number, exponent: bigint): string | undefined {
  if (bits < minRsaBits) return `its RSA modulus has ${bits} bits and needs at least ${minRsaBits}`
  if (bits > maxRsaBits) return `its RSA modulus has ${bits} bits and may have at most ${maxRsaBits}`
  if (exponent % 2n === 0n || exponent < minExponent || exponent > maxExponent)
    return 'its RSA exponent must be odd and at least 65537; make a key with the usual exponent, 65537'
  return undefined
}

function findRsaWeakness(modulus: bigint, exponent: bigint): string | undefined {
  const problem = findSizeWeakness(modulus.toString(2).length, exponent)
  if (problem) return problem
  const rests = smallPrimes.map(prime => ({ prime, rest: Number(modulus % BigInt(prime)) }))
  if (rests.some(({ rest }) => rest === 0)) return 'its RSA modulus has a small factor; make another key'
  return rests.every(({ prime, rest }) => isPowerOf65537(rest, prime))
    ? 'its RSA modulus has the fingerprint of ROCA (CVE-2017-15361), so that others can compute the private key; make a key with other hardware'
    : undefined
}

function isPowerOf65537(rest: number, prime: number): boolean {
  let power = 1
  do {
    if (power === rest) return true
    power = (power * 65_537) % prime
  } while (power !== 1)
  return false
}

const p = (1n << 255n) - 19n
const orderEight = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n

/** The y of the points of small order (RFC 8032, 5.1). Some signatures of such a key fit any message. */
const smallOrder: ReadonlySet<bigint> = new Set([0n, 1n, p - 1n, orderEight, p - orderEight])

/** Some runtimes refuse to verify with such keys, others do not. */
function findEd25519Weakness(x: string | undefined): string | undefined {
  const littleEndian = bytesOf(x).toReversed()
  // The highest bit is the sign of the other coordinate.
  const y = BigInt.asUintN(255, integerOf(littleEndian))
  if (y >= p) return 'its point is out of range (RFC 8032, 5.1.3); make another key'
  return smallOrder.has(y) ? 'its point has a small order; make another key' : undefined
}

function readInteger(text: string | undefined): bigint {
  return integerOf(bytesOf(text))
}

function bytesOf(text = ''): Uint8Array {
  return readBase64url(text) ?? new Uint8Array()
}

export function integerOf(bigEndian: Uint8Array): bigint {
  return BigInt(`0x0${Array.from(bigEndian, byte => byte.toString(16).padStart(2, '0')).join('')}`)
}
