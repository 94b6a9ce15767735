import type { JWK } from 'jose'
import { KeyImportError } from './key-errors.ts'

/**
 * What a JWK says that it is for (RFC 7517, 4.2 and 4.3) counts on both sides.
 *
 * @throws {KeyImportError} when its `use` or `key_ops` exclude the operation
 */
export function assertForSignatures({ use = 'sig', key_ops }: JWK, operation: 'sign' | 'verify'): void {
  if (use !== 'sig' || key_ops?.includes(operation) === false)
    throw new KeyImportError('jwk', 'its use or key_ops do not include signatures')
}
