import type { CryptoKey, JWK } from 'jose'
import { KeyImportError } from '../errors/key-errors.ts'

/** Signature algorithms of the partner link, with their names of RFC 7518 and RFC 8037. */
export const payloadAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'HS256',
  'HS384',
  'HS512',
] as const

/** One of {@link payloadAlgorithms}. */
export type PayloadAlgorithm = (typeof payloadAlgorithms)[number]

/** WebCrypto's parameters of each algorithm (RFC 7518, 3; RFC 8037, 3.1). A JWS has WebCrypto's signature formats. */
export const signatureParameters: Readonly<
  Record<PayloadAlgorithm, { readonly name: string; readonly hash?: string; readonly saltLength?: number }>
> = {
  RS256: { name: 'RSASSA-PKCS1-v1_5' },
  RS384: { name: 'RSASSA-PKCS1-v1_5' },
  RS512: { name: 'RSASSA-PKCS1-v1_5' },
  PS256: { name: 'RSA-PSS', saltLength: 32 },
  PS384: { name: 'RSA-PSS', saltLength: 48 },
  PS512: { name: 'RSA-PSS', saltLength: 64 },
  ES256: { name: 'ECDSA', hash: 'SHA-256' },
  ES384: { name: 'ECDSA', hash: 'SHA-384' },
  ES512: { name: 'ECDSA', hash: 'SHA-512' },
  EdDSA: { name: 'Ed25519' },
  HS256: { name: 'HMAC' },
  HS384: { name: 'HMAC' },
  HS512: { name: 'HMAC' },
}

/** A JSON Web Key without members that would restrict the imported key, or the DER of a key. */
type KeyData =
  | { readonly format: 'jwk'; readonly data: JWK }
  | { readonly format: 'pkcs8' | 'spki'; readonly data: Uint8Array<ArrayBuffer> }

/** Imports a key for one algorithm by WebCrypto. A private key signs, a public one verifies. */
export function importFor(
  algorithm: PayloadAlgorithm,
  type: KeyType,
  { format, data }: KeyData,
  { isPrivate, extractable }: { readonly isPrivate: boolean; readonly extractable: boolean },
): Promise<CryptoKey> {
  const { name } = signatureParameters[algorithm]
  const parameters = { name, namedCurve: type, hash: `SHA-${algorithm.slice(2)}` }
  const usages: ('sign' | 'verify')[] = [isPrivate ? 'sign' : 'verify']
  return format === 'jwk'
    ? crypto.subtle.importKey(format, data, parameters, extractable, usages)
    : crypto.subtle.importKey(format, data, parameters, extractable, usages)
}

/** Type of a key. It decides the algorithms of the key; a token's header does not. */
export type KeyType = 'RSA' | 'P-256' | 'P-384' | 'P-521' | 'Ed25519' | 'secret'

/** Algorithms of each type of key; the first is the default of `signPayload`. */
const algorithmsOfKeyType: Readonly<Record<KeyType, readonly PayloadAlgorithm[]>> = {
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['EdDSA'],
  secret: ['HS256', 'HS384', 'HS512'],
}

/** Every algorithm with a public key: those of a key set at a URL. */
export const publicKeyAlgorithms: readonly PayloadAlgorithm[] = payloadAlgorithms.filter(
  algorithm => !algorithm.startsWith('HS'),
)

/** The algorithms that a key may be used with: those of its type, narrowed by its registration and by a JWK's own `alg`. */
export function allowedAlgorithms(
  type: KeyType,
  kind: string,
  ...narrowings: readonly (readonly unknown[] | undefined)[]
): readonly [PayloadAlgorithm, ...PayloadAlgorithm[]] {
  const [first, ...others] = algorithmsOfKeyType[type].filter(algorithm =>
    narrowings.every(narrowing => narrowing === undefined || narrowing.includes(algorithm)),
  )
  if (!first) {
    const known: readonly unknown[] = [undefined, ...payloadAlgorithms]
    const unknown = narrowings.flat().some(name => !known.includes(name))
    throw new KeyImportError(
      kind,
      `${unknown ? 'an algorithm is named that does not exist here; its' : 'its'} type allows ${algorithmsOfKeyType[type].join(', ')}`,
    )
  }
  return [first, ...others]
}
