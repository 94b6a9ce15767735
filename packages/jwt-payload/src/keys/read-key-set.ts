import { z } from 'zod'
import type { PayloadAlgorithm } from './algorithms.ts'
import { KeySetError } from './fetch-key-set.ts'
import { importPublicJwk } from './import-public-key.ts'
import { KeyImportError } from './key-errors.ts'
import type { VerificationKey } from './verification-key.ts'

/** Most keys of a set: each may be tried for a token that names none. */
const maxKeys = 64

const keySetSchema = z.looseObject({ keys: z.array(z.unknown()) })

/** The keys of a set that can be used. */
export interface KeySet {
  readonly keys: readonly VerificationKey[]
  /** Those that cannot: weak, damaged, for encryption, secret, or of a kind that is not known here. */
  readonly ignored: readonly IgnoredKey[]
}

/** A key of a set that cannot be used. */
export interface IgnoredKey {
  /** What a header's `kid` may call it, where that could be read. */
  readonly names: readonly unknown[]
  /** Why, as a clause. */
  readonly problem: string
}

/**
 * Reads a JSON Web Key Set (RFC 7517, 5). A key that cannot be used is left out: it must not keep the others from being used.
 *
 * @throws {KeySetError} when it is not a key set, or has more than 64 keys
 */
export async function readKeySet(
  text: string,
  url: string,
  algorithms: readonly PayloadAlgorithm[],
): Promise<KeySet> {
  const { success, data } = keySetSchema.safeParse(parseJson(text))
  if (!success) throw new KeySetError('it is not a JSON Web Key Set')
  if (data.keys.length > maxKeys) throw new KeySetError(`it has more than ${maxKeys} keys`)
  const keys: VerificationKey[] = []
  const ignored: IgnoredKey[] = []
  for (const jwk of data.keys) {
    try {
      keys.push(await importPublicJwk({ kind: 'jwks', url, algorithms }, jwk))
    } catch (error) {
      if (!(error instanceof KeyImportError)) throw error
      ignored.push({ names: [Object(jwk).kid, error.thumbprint], problem: error.problem })
    }
  }
  return { keys, ignored }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
