import type { PayloadAlgorithm } from './algorithms.ts'
import { KeyImportError, readable } from './key-errors.ts'

/** What WebCrypto verifies with, one an algorithm. */
export interface KeyMaterials {
  /** That of the first algorithm: enough to look at the key. */
  readonly first: CryptoKey
  /** @throws {TypeError} for an algorithm that the key does not have */
  readonly materialFor: (algorithm: PayloadAlgorithm) => CryptoKey
}

/**
 * One import an algorithm: WebCrypto binds a key to its hash. An RSA key has six, which take well under a millisecond.
 *
 * @throws {KeyImportError} when it is damaged, or what `importFor` throws as such
 */
export async function importMaterials(
  kind: string,
  algorithms: readonly PayloadAlgorithm[],
  importFor: (algorithm: PayloadAlgorithm) => Promise<CryptoKey>,
): Promise<KeyMaterials> {
  const materials = new Map<PayloadAlgorithm, CryptoKey>()
  for (const algorithm of algorithms)
    materials.set(algorithm, await readable(kind, () => importFor(algorithm)))
  const [first] = materials.values()
  if (!first) throw new KeyImportError(kind, 'no algorithm is left for it')
  return {
    first,
    materialFor: algorithm => {
      const material = materials.get(algorithm)
      if (!material) throw new TypeError(`A key was asked for ${algorithm}, which it does not have.`)
      return material
    },
  }
}
