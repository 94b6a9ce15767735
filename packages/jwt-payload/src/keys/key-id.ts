import { KeyImportError } from './key-errors.ts'

/**
 * The name that a key is given. An empty one in a JWK counts as none, on both sides alike.
 *
 * @param given by who registers the key or signs with it
 * @param own member `kid` of a JWK
 * @throws {KeyImportError} when the one that is given is empty: no token could name the key by it
 */
export function givenKeyId(
  kind: string,
  given: string | undefined,
  own: string | undefined,
): string | undefined {
  if (given === '') throw new KeyImportError(kind, 'its kid must not be empty; leave it out')
  return given ?? (own || undefined)
}
