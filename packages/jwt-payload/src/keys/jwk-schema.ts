import type { JWK } from 'jose'
import { z } from 'zod'
import { isBase64url } from './base64url.ts'
import { KeyImportError } from './key-errors.ts'

/** A JSON Web Key (RFC 7517, 4) as far as it is read before WebCrypto imports it. */
export const jwkSchema = z.looseObject({
  kty: z.string(),
  kid: z.string().exactOptional(),
  alg: z.string().exactOptional(),
  use: z.string().exactOptional(),
  key_ops: z.array(z.string()).exactOptional(),
})

/** Members of public and private keys that are base64url text (RFC 7518, 6.2 and 6.3; RFC 8037, 2). */
const encodedMembers = ['n', 'e', 'x', 'y', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const

/** @throws {KeyImportError} when a value is no JSON Web Key, or a member cannot be decoded in one way only */
export function readJwk(given: unknown): JWK {
  const parsed = jwkSchema.safeParse(given)
  if (!parsed.success) throw new KeyImportError('jwk', 'it is not a JSON Web Key')
  for (const name of encodedMembers) {
    const member = parsed.data[name]
    if (member !== undefined && !isBase64url(member))
      throw new KeyImportError('jwk', `its member ${name} is not base64url text`)
  }
  return parsed.data
}

/**
 * What a JWK says that it is for (RFC 7517, 4.2 and 4.3) counts on both sides.
 *
 * @throws {KeyImportError} when its `use` or `key_ops` exclude the operation, or `key_ops` have one twice
 */
export function assertForSignatures({ use = 'sig', key_ops }: JWK, operation: 'sign' | 'verify'): void {
  if (use !== 'sig' || key_ops?.includes(operation) === false)
    throw new KeyImportError('jwk', 'its use or key_ops do not include signatures')
  if (new Set(key_ops).size < (key_ops?.length ?? 0))
    throw new KeyImportError('jwk', 'its key_ops have an operation twice')
}
