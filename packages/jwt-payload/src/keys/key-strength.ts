import type { JWK } from 'jose'
import * as base64url from 'jose/base64url'
import { KeyImportError, readable } from '../errors/key-errors.ts'
import type { KeyType } from './algorithms.ts'
import { readBase64url } from './base64url.ts'

/**
 * Refuses a public key, or the public part of a private one, whose signatures others can make. Returns the RFC 7638 thumbprint
 * of the public part.
 */
export async function assertKeyStrength(type: KeyType, key: CryptoKey, kind: string): Promise<string> {
  const jwk = await readable(kind, () => crypto.subtle.exportKey('jwk', key))
  const thumbprint = await thumbprintOf(jwk)
  const problem = weaknessOf(type, jwk)
  if (problem) throw new KeyImportError(kind, problem, { thumbprint })
  return thumbprint
}

/** Members of public keys that count, in the order of RFC 7638, 3.2. A key has those of its kind. */
const thumbprintMembers = ['crv', 'e', 'kty', 'n', 'x', 'y']

async function thumbprintOf(jwk: JWK): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(jwk, thumbprintMembers))
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', text)))
}

function weaknessOf(type: KeyType, jwk: JWK): string | undefined {
  if (type === 'RSA') return findRsaWeakness(readInteger(jwk.n), readInteger(jwk.e))
  return type === 'Ed25519' ? findEd25519Weakness(jwk.x) : undefined
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

function findRsaWeakness(modulus: bigint, exponent: bigint): string | undefined {
  const bits = modulus.toString(2).length
  if (bits < minRsaBits) return `its RSA modulus has ${bits} bits and needs at least ${minRsaBits}`
  if (bits > maxRsaBits) return `its RSA modulus has ${bits} bits and may have at most ${maxRsaBits}`
  if (exponent % 2n === 0n || exponent < minExponent || exponent > maxExponent)
    return 'its RSA exponent must be odd and at least 65537; make a key with the usual exponent, 65537'
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

/** The bytes of a member that WebCrypto has written. */
function bytesOf(text = ''): Uint8Array {
  return readBase64url(text) ?? new Uint8Array()
}

function integerOf(bigEndian: Uint8Array): bigint {
  return BigInt(`0x0${Array.from(bigEndian, byte => byte.toString(16).padStart(2, '0')).join('')}`)
}
