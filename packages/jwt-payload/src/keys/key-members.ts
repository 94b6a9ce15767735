import { assertParameter, findNearName, ParameterError } from '@service-link/protocol-core/errors'

/** The member that holds the key, for each kind. The readers of a key set's address and of a secret check theirs. */
export const holderOfKind = {
  x509: { pem: 'file' },
  spki: { pem: 'file' },
  jwk: { jwk: 'object' },
  jwks: { url: 'any' },
  secret: { secret: 'any' },
} as const

type Kind = keyof typeof holderOfKind

const kinds = Object.keys(holderOfKind)

/** What a kind must be. */
export const listOfKinds = `must be ${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`

/** Other words for kinds, and for the member that holds a key. */
const kindWords = { certificate: 'x509', publickey: 'spki', keyset: 'jwks', hmac: 'secret' }
const holderWords = ['key', 'publickey', 'certificate', 'cert', 'jwks', 'jwksuri', 'uri', 'keys']

/**
 * Checks that a registered key has a kind, and the members of its kind. Tells what was meant, and quotes nothing.
 *
 * @param name of the key, such as `registrations.0.keys.1`
 * @throws {ParameterError} when it has not
 */
export function assertKeyMembers(name: string, key: unknown): void {
  if (typeof key === 'string' || ArrayBuffer.isView(key))
    throw new ParameterError(name, "an object such as { kind: 'x509', pem: … }")
  assertParameter(name, key, 'object', { kind: 'text?' })
  const { kind, kty } = Object(key)
  if (!isKind(kind)) throw new ParameterError(`${name}.kind`, kinds.join(' or '), problemOfKind(kind, kty))
  const [holder = ''] = Object.keys(holderOfKind[kind])
  const words = Object.fromEntries(holderWords.map(word => [word, holder]))
  const members = { kind: 'any', kid: 'any', algorithms: 'any', [holder]: 'any' } as const
  assertParameter(name, key, 'closed', members, { keyid: 'kid', alg: 'algorithms', ...words })
}

/** The element of a list of one, as files of keys and registrations hold; any other value as it is. */
export function onlyOf<Value>(given: Value | readonly [Value]): Value {
  return Array.isArray(given) && given.length === 1 ? given[0] : (given as Value)
}

function isKind(kind: unknown): kind is Kind {
  return typeof kind === 'string' && kinds.includes(kind)
}

/** The list of kinds, and the one that was meant. */
function problemOfKind(kind: string | undefined, kty: unknown): string {
  const must = kind === undefined ? `is missing. It ${listOfKinds}.` : `${listOfKinds}.`
  if (kty !== undefined) return `${must} For a JSON Web Key write { kind: 'jwk', jwk: … }.`
  const meant = kind === undefined ? undefined : findNearName(kind, kinds, kindWords)
  return meant ? `${must} Did you mean ${meant}?` : `${must} A certificate is x509, a public key spki.`
}
