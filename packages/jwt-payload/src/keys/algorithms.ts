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

/** What a key is; decides which algorithms it may be used with, whatever a token's header says. */
export type KeyType = 'RSA' | 'P-256' | 'P-384' | 'P-521' | 'Ed25519' | 'secret'

/** Algorithms of each type of key; the first is the one that `signPayload` takes by itself. */
export const algorithmsOfKeyType: Readonly<Record<KeyType, readonly PayloadAlgorithm[]>> = {
  RSA: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  'P-256': ['ES256'],
  'P-384': ['ES384'],
  'P-521': ['ES512'],
  Ed25519: ['EdDSA'],
  secret: ['HS256', 'HS384', 'HS512'],
}

/** Every algorithm with a public key: what a key set at a URL may hold. */
export const publicKeyAlgorithms: readonly PayloadAlgorithm[] = payloadAlgorithms.filter(
  algorithm => !algorithm.startsWith('HS'),
)

/** Whether a header's `alg` is one of {@link payloadAlgorithms}, spelled exactly so. */
export function isPayloadAlgorithm(alg: unknown): alg is PayloadAlgorithm {
  return payloadAlgorithms.some(algorithm => algorithm === alg)
}
