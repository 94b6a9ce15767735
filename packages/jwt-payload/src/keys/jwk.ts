import type { JWK } from 'jose'
import { KeyImportError, privateKeyProblem } from '../errors/key-errors.ts'
import type { KeyType } from './algorithms.ts'
import { readBase64url } from './base64url.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

/** Leaves out members without a value: empty text, an empty list, or null. Some libraries write every member that they know. */
function givenMembers(value: object): Readonly<Record<string, unknown>> {
  const isGiven = (member: unknown) =>
    member !== undefined &&
    member !== null &&
    member !== '' &&
    !(Array.isArray(member) && member.length === 0)
  return Object.fromEntries(Object.entries(value).filter(([, member]) => isGiven(member)))
}

/** Whether a value is meant as a JSON Web Key: it names a kind of key, or has certificates (RFC 7517, 4). */
export function isJwk(value: unknown): value is JWK {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return isText(Reflect.get(value, 'kty')) || Array.isArray(Reflect.get(value, 'x5c'))
}

/** Members of public and private keys that are base64url text (RFC 7518, 6.2 and 6.3; RFC 8037, 2). */
const encodedMembers = ['n', 'e', 'x', 'y', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const

const neededMembers: ReadonlyMap<string, readonly (typeof encodedMembers)[number][]> = new Map([
  ['RSA', ['n', 'e']],
  ['EC', ['x', 'y']],
  ['OKP', ['x']],
])

/** Checks the members (RFC 7517, 4) that are read before WebCrypto imports the key. A schema library would double a signer's bundle. */
function isWellFormed(members: Readonly<Record<string, unknown>>): members is JWK & { readonly kty: string } {
  const { kty, kid = '', alg = '', use = '', key_ops: operations = [] } = members
  return [kty, kid, alg, use].every(isText) && Array.isArray(operations) && operations.every(isText)
}

/** Writes the first certificate, which is that of the key (RFC 7517, 4.7), by Node alone. */
const writeX5c = `node -e "fs.writeFileSync('new-certificate.pem',new crypto.X509Certificate(Buffer.from(JSON.parse(fs.readFileSync(process.argv[1])).x5c[0],'base64')).toString())" key.json`

/**
 * Reads a JSON Web Key. Members without a value are left out.
 *
 * @throws {KeyImportError} when a value is no JSON Web Key, holds certificates alone, or a member is not strict base64url
 */
export function readJwk(given: unknown): JWK {
  const members = isJwk(given) ? givenMembers(given) : {}
  if (members.x5c !== undefined && members.n === undefined && members.x === undefined)
    throw new KeyImportError(
      'jwk',
      'it has only x5c, and not the members of its key (RFC 7517, 4.7); give its certificate with kind x509',
      { command: writeX5c },
    )
  if (!isWellFormed(members)) throw new KeyImportError('jwk', 'it is not a JSON Web Key')
  for (const name of encodedMembers) {
    const member = members[name]
    if (member !== undefined && !(isText(member) && readBase64url(member)?.length))
      throw new KeyImportError('jwk', `its member ${name} is not base64url text`)
  }
  const missing = neededMembers.get(members.kty)?.find(name => members[name] === undefined)
  if (missing) throw new KeyImportError('jwk', `its member ${missing} is missing`)
  return members
}

/** Checks the purpose that a JWK names (RFC 7517, 4.2 and 4.3): jose's import does not look at its `use`. */
export function assertForSignatures({ use = 'sig', key_ops }: JWK, operation: 'sign' | 'verify'): void {
  if (use !== 'sig' || key_ops?.includes(operation) === false)
    throw new KeyImportError('jwk', 'its use or key_ops do not include signatures')
  if (new Set(key_ops).size < (key_ops?.length ?? 0))
    throw new KeyImportError('jwk', 'its key_ops have an operation twice')
}

/** Tells what key a JWK holds. */
export function keyTypeOfJwk({ kty, crv }: JWK): KeyType {
  if (kty === 'RSA') return 'RSA'
  if (kty === 'EC' && (crv === 'P-256' || crv === 'P-384' || crv === 'P-521')) return crv
  if (kty === 'OKP' && crv === 'Ed25519') return 'Ed25519'
  if (kty === 'oct')
    throw new KeyImportError('jwk', 'it holds a shared secret; give it with kind secret instead')
  throw new KeyImportError('jwk', 'its kty and crv are not RSA, EC (P-256, P-384, P-521) or OKP (Ed25519)')
}

/** Members that only a private key or a shared secret has (RFC 7518, 6.2.2, 6.3.2, 6.4; RFC 8037, 2). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** Refuses a private key in a registration: jose would import it. A key without `d` may still hold the primes, from which `d` follows. */
export function assertPublicJwk(jwk: JWK): void {
  if (Object.keys(jwk).some(name => privateMembers.includes(name)))
    throw new KeyImportError('jwk', privateKeyProblem)
}

/** Chooses the name of a key. An empty `kid` of a JWK counts as none. */
export function givenKeyId(
  kind: string,
  given: string | undefined,
  own: string | undefined,
): string | undefined {
  if (given === '') throw new KeyImportError(kind, 'its kid must not be empty; leave it out')
  if (given?.trim() !== given)
    throw new KeyImportError(kind, 'its kid must not begin or end with white space: it is compared exactly')
  return given ?? (own || undefined)
}
