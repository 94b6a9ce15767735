import type { JWK } from 'jose'
import { KeyImportError } from './key-errors.ts'

/** Members that only a private key or a shared secret has (RFC 7518, 6.2.2, 6.3.2, 6.4; RFC 8037, 2). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/**
 * Nothing private may be registered, not even beside what is public: it would be kept, sent and backed up with it.
 *
 * @param pem text of one or more PEM blocks
 * @throws {KeyImportError} when one of them is a private key of any form
 */
export function assertPublicPem(pem: string, kind: string): void {
  if (/BEGIN [^\n-]{0,40}PRIVATE KEY/i.test(pem)) throw privateKey(kind)
}

/**
 * {@link assertPublicPem} for a JSON Web Key: one without `d` may still hold the primes, from which it follows.
 *
 * @throws {KeyImportError} when it has a member of a private key
 */
export function assertPublicJwk(jwk: JWK): void {
  if (Object.entries(jwk).some(([name, value]) => value !== undefined && privateMembers.includes(name)))
    throw privateKey('jwk')
}

function privateKey(kind: string): KeyImportError {
  return new KeyImportError(
    kind,
    'it holds a private key, which stays with the partner; register the certificate or public key alone',
  )
}
