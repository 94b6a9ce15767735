import { KeyImportError } from '../errors/key-errors.ts'
import type { KeyType } from './algorithms.ts'
import { childrenOf, type DerElement, derTags, expectElement, hex, readElement } from './der.ts'
import { explicitCurveError } from './foreign-keys.ts'

const rsaEncryption = '2a864886f70d010101'
const rsassaPss = '2a864886f70d01010a'
const ecPublicKey = '2a8648ce3d0201'
const ed25519 = '2b6570'

const curves: Readonly<Record<string, KeyType>> = {
  '2a8648ce3d030107': 'P-256',
  '2b81040022': 'P-384',
  '2b81040023': 'P-521',
}

/** Tells the type of the key in a SubjectPublicKeyInfo or a PKCS#8 PrivateKeyInfo, by its algorithm identifier. */
export function keyTypeOfDer(der: Uint8Array, form: 'spki' | 'pkcs8', kind: string): KeyType {
  const fields = childrenOf(der, expectElement(readElement(der, 0), derTags.sequence, 'key'))
  const identifier = expectElement(fields[form === 'spki' ? 0 : 1], derTags.sequence, 'algorithm')
  const [algorithm, parameter] = childrenOf(der, identifier)
  switch (oidOf(der, algorithm)) {
    case rsaEncryption:
      return 'RSA'
    case ed25519:
      return 'Ed25519'
    case ecPublicKey: {
      if (parameter?.tag === derTags.sequence) throw explicitCurveError(form, kind)
      const curve = parameter?.tag === derTags.objectIdentifier && curves[oidOf(der, parameter)]
      if (curve) return curve
      throw new KeyImportError(kind, 'its curve is not P-256, P-384 or P-521')
    }
    case rsassaPss:
      throw new KeyImportError(
        kind,
        'it is bound to RSASSA-PSS, which WebCrypto does not read; use a plain RSA key with PS256',
      )
    default:
      throw new KeyImportError(kind, 'it is neither RSA, nor EC, nor Ed25519')
  }
}

function oidOf(der: Uint8Array, element: DerElement | undefined): string {
  const { contentStart, end } = expectElement(element, derTags.objectIdentifier, 'algorithm')
  return hex(der.subarray(contentStart, end))
}
