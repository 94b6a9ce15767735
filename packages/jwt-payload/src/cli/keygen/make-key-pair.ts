import type { webcrypto } from 'node:crypto'
import type { PayloadAlgorithm } from '../../keys/algorithms.ts'
import { encodePem } from '../../keys/der.ts'

/** Algorithms that `keygen` makes a key pair for. */
export const keyPairAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'RS256',
  'PS256',
] as const satisfies readonly PayloadAlgorithm[]

/** One of {@link keyPairAlgorithms}. */
export type KeyPairAlgorithm = (typeof keyPairAlgorithms)[number]

/** A key pair that was just made. */
export interface MadeKeyPair {
  readonly keys: webcrypto.CryptoKeyPair
  /** What a certificate of the pair is signed with. */
  readonly signing: { readonly name: string; readonly hash?: string }
  /** PKCS#8. */
  readonly privatePem: string
}

const ecdsa = (namedCurve: string, hash: string) => ({
  generation: { name: 'ECDSA', namedCurve },
  signing: { name: 'ECDSA', hash },
})

/** A plain RSA key, which the algorithm of its registration binds to RS or PS. */
const rsa = {
  generation: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 3072,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  },
  signing: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
}

const recipes = {
  ES256: ecdsa('P-256', 'SHA-256'),
  ES384: ecdsa('P-384', 'SHA-384'),
  ES512: ecdsa('P-521', 'SHA-512'),
  EdDSA: { generation: { name: 'Ed25519' }, signing: { name: 'Ed25519' } },
  RS256: rsa,
  PS256: rsa,
} as const

/** Makes a key pair: RSA with 3,072 bits, EC on the algorithm's curve, or Ed25519. */
export async function makeKeyPair(algorithm: KeyPairAlgorithm): Promise<MadeKeyPair> {
  const { generation, signing } = recipes[algorithm]
  const keys = await crypto.subtle.generateKey(generation, true, ['sign', 'verify'])
  if (!('privateKey' in keys)) throw new TypeError(`${algorithm} gave no pair of keys.`)
  const der = new Uint8Array(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  return { keys, signing, privatePem: encodePem(der, 'PRIVATE KEY') }
}
