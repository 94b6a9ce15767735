import type { JWK } from 'jose'
import { z } from 'zod'
import { KeyImportError } from './key-errors.ts'

/** A JSON Web Key (RFC 7517, 4) as far as it is read before WebCrypto imports it. */
export const jwkSchema = z.looseObject({
  kty: z.string(),
  kid: z.string().exactOptional(),
  alg: z.string().exactOptional(),
  use: z.string().exactOptional(),
  key_ops: z.array(z.string()).exactOptional(),
})

/** @throws {KeyImportError} when a value is no JSON Web Key */
export function readJwk(given: unknown): JWK {
  const parsed = jwkSchema.safeParse(given)
  if (!parsed.success) throw new KeyImportError('jwk', 'it is not a JSON Web Key')
  return parsed.data
}

/**
 * What a JWK says that it is for (RFC 7517, 4.2 and 4.3) counts on both sides.
 *
 * @throws {KeyImportError} when its `use` or `key_ops` exclude the operation
 */
export function assertForSignatures({ use = 'sig', key_ops }: JWK, operation: 'sign' | 'verify'): void {
  if (use !== 'sig' || key_ops?.includes(operation) === false)
    throw new KeyImportError('jwk', 'its use or key_ops do not include signatures')
}
