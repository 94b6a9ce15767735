import * as base64url from 'jose/base64url'
import { KeyImportError } from '../errors/key-errors.ts'
import type { PayloadAlgorithm } from './algorithms.ts'

const pemBegin = '-----BEGIN '
const pemProblem = 'it is a PEM file; give it with kind x509 or spki, and to sign with kind pkcs8'

export function readSecret(secret: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof secret === 'string' ? decode(secret.trim()) : copyOf(secret)
  if (new TextDecoder('latin1').decode(bytes.subarray(0, 11)) === pemBegin)
    throw new KeyImportError('secret', pemProblem)
  return bytes
}

/** A secret must be no shorter than the digest (RFC 7518, 3.2). jose takes a shorter one. */
export function assertSecretLength(
  length: number,
  algorithms: readonly PayloadAlgorithm[],
  kind = 'secret',
): readonly PayloadAlgorithm[] {
  const bytesOf = (algorithm: PayloadAlgorithm) => Number(algorithm.slice(2)) / 8
  const allowed = algorithms.filter(algorithm => length >= bytesOf(algorithm))
  if (allowed.length === 0)
    throw new KeyImportError(
      kind,
      `it has ${length} bytes, and ${algorithms.map(algorithm => `${algorithm} needs at least ${bytesOf(algorithm)} bytes`).join(', ')}`,
    )
  return allowed
}

function copyOf(secret: Uint8Array): Uint8Array<ArrayBuffer> {
  // `instanceof` fails across realms. A list of texts or another view would give other bytes.
  if (!ArrayBuffer.isView(secret) || secret.BYTES_PER_ELEMENT !== 1)
    throw new KeyImportError('secret', 'it must be a Uint8Array, or base64url text')
  return Uint8Array.from(secret)
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  if (text.startsWith(pemBegin)) throw new KeyImportError('secret', pemProblem)
  // Of random base64url it has no 32 characters, so that it would be taken for a longer secret.
  const isHex = /^(?:[\da-f]{2}){16,}$/i.test(text)
  try {
    if (isHex || !/^[\w-]*=*$/.test(text)) throw new TypeError('No base64url.')
    return Uint8Array.from(base64url.decode(text.replace(/=+$/, '')))
  } catch {
    throw new KeyImportError(
      'secret',
      `it is ${isHex ? 'hexadecimal' : 'text'}, not base64url; give its bytes, such as Buffer.from(secret, ${isHex ? "'hex'" : "'base64'"})`,
    )
  }
}

/** Imports a shared secret for one HS algorithm, once for all tokens. jose imports the bytes for each. */
export function importHmac(secret: Uint8Array<ArrayBuffer>, algorithm: PayloadAlgorithm): Promise<CryptoKey> {
  const hash = `SHA-${algorithm.slice(2)}`
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash }, false, ['sign', 'verify'])
}
