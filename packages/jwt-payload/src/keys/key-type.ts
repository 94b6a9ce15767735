import type { JWK } from 'jose'
import { algorithmsOfKeyType, isPayloadAlgorithm, type KeyType, type PayloadAlgorithm } from './algorithms.ts'
import { childrenOf, type DerElement, derTags, expectElement, readElement } from './der.ts'
import { KeyImportError } from './key-errors.ts'

const rsaEncryption = '2a864886f70d010101'
const rsassaPss = '2a864886f70d01010a'
const ecPublicKey = '2a8648ce3d0201'
const ed25519 = '2b6570'

const curves: Readonly<Record<string, KeyType>> = {
  '2a8648ce3d030107': 'P-256',
  '2b81040022': 'P-384',
  '2b81040023': 'P-521',
}

/**
 * Tells what key a SubjectPublicKeyInfo or a PKCS#8 PrivateKeyInfo holds, by its algorithm identifier.
 *
 * @throws {KeyImportError} when it is no key that the partner link has an algorithm for
 */
export function keyTypeOfDer(der: Uint8Array, form: 'spki' | 'pkcs8', kind: string): KeyType {
  const fields = childrenOf(der, expectElement(readElement(der, 0), derTags.sequence, 'key'))
  const identifier = expectElement(fields[form === 'spki' ? 0 : 1], derTags.sequence, 'algorithm')
  const [algorithm, parameter] = childrenOf(der, identifier)
  const type = keyTypeOf(
    oidOf(der, algorithm),
    parameter?.tag === derTags.objectIdentifier ? oidOf(der, parameter) : '',
  )
  if (typeof type === 'object') throw new KeyImportError(kind, type.problem)
  return type
}

function keyTypeOf(algorithm: string, curve: string): KeyType | { readonly problem: string } {
  if (algorithm === rsaEncryption) return 'RSA'
  if (algorithm === ed25519) return 'Ed25519'
  if (algorithm === rsassaPss)
    return {
      problem: 'it is bound to RSASSA-PSS, which WebCrypto does not read; use a plain RSA key with PS256',
    }
  if (algorithm === ecPublicKey) return curves[curve] ?? { problem: 'its curve is not P-256, P-384 or P-521' }
  return { problem: 'it is neither RSA, nor EC, nor Ed25519' }
}

function oidOf(der: Uint8Array, element: DerElement | undefined): string {
  const { contentStart, end } = expectElement(element, derTags.objectIdentifier, 'algorithm')
  return Array.from(der.subarray(contentStart, end), byte => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Tells what key a JWK holds.
 *
 * @throws {KeyImportError} when it is no key that the partner link has an algorithm for
 */
export function keyTypeOfJwk({ kty, crv }: JWK): KeyType {
  if (kty === 'RSA') return 'RSA'
  if (kty === 'EC' && (crv === 'P-256' || crv === 'P-384' || crv === 'P-521')) return crv
  if (kty === 'OKP' && crv === 'Ed25519') return 'Ed25519'
  if (kty === 'oct')
    throw new KeyImportError('jwk', 'it holds a shared secret; give it with kind secret instead')
  throw new KeyImportError('jwk', 'its kty and crv are not RSA, EC (P-256, P-384, P-521) or OKP (Ed25519)')
}

/**
 * The algorithms that a key may be used with: those of its type, narrowed by its registration and by a JWK's own `alg`.
 *
 * @throws {KeyImportError} when none is left
 */
export function allowedAlgorithms(
  type: KeyType,
  kind: string,
  ...narrowings: readonly (readonly unknown[] | undefined)[]
): readonly PayloadAlgorithm[] {
  const algorithms = algorithmsOfKeyType[type].filter(algorithm =>
    narrowings.every(narrowing => narrowing === undefined || narrowing.includes(algorithm)),
  )
  if (algorithms.length === 0) {
    const unknown = narrowings.flat().some(name => name !== undefined && !isPayloadAlgorithm(name))
    throw new KeyImportError(
      kind,
      `${unknown ? 'an algorithm is named that does not exist here; its' : 'its'} type allows ${algorithmsOfKeyType[type].join(', ')}`,
    )
  }
  return algorithms
}
