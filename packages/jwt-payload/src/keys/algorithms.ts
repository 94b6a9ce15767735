import type { ReceiverFacts } from '@service-link/protocol-core/person'
import type { CryptoKey } from 'jose'
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

/** The algorithms of the partner link that a receiver names. What else it names is no advice: a foreign one may name `none`. */
export const namedAlgorithms = ({ algorithms }: ReceiverFacts): readonly PayloadAlgorithm[] =>
  payloadAlgorithms.filter(name => algorithms.includes(name))

/** Algorithms that `keygen` makes a key pair for. */
export const keyPairAlgorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const

export type KeyPairAlgorithm = (typeof keyPairAlgorithms)[number]

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
    const isEmpty = narrowings.some(narrowing => narrowing?.length === 0)
    if (isEmpty) throw new KeyImportError(kind, 'its list of algorithms is empty; leave it out')
    const known: readonly unknown[] = [undefined, ...payloadAlgorithms]
    const unknown = narrowings.flat().some(name => !known.includes(name))
    throw new KeyImportError(
      kind,
      `${unknown ? 'an algorithm is named that does not exist here; its' : 'its'} type allows ${algorithmsOfKeyType[type].join(', ')}`,
    )
  }
  return [first, ...others]
}

/** The algorithm that a key of WebCrypto is bound to; `undefined` for none of ours. */
export function algorithmOf(key: CryptoKey): PayloadAlgorithm | undefined {
  const { name, hash, namedCurve }: { name: string; hash?: { name: string }; namedCurve?: string } =
    key.algorithm
  const family = { 'RSASSA-PKCS1-v1_5': 'RS', 'RSA-PSS': 'PS', HMAC: 'HS', Ed25519: 'EdDSA' }[name]
  const curve = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' }[namedCurve ?? '']
  const algorithm = name === 'ECDSA' ? curve : `${family}${hash?.name.slice('SHA-'.length) ?? ''}`
  return payloadAlgorithms.find(known => known === algorithm)
}
