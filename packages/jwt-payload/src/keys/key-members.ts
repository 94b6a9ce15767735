import { assertParameter, findNearName, isObject, ParameterError } from '@service-link/protocol-core/errors'
import { privateKeyProblem } from '../errors/key-errors.ts'
import { readKeyContent } from './key-content.ts'

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
const listOfKinds = `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`

/** Other words for kinds, and for the member that holds a key. */
const kindWords = { certificate: 'x509', public: 'spki', publickey: 'spki', keyset: 'jwks', hmac: 'secret' }
const holderWords = [
  'key',
  'publickey',
  'certificate',
  'cert',
  'jwks',
  'jwksuri',
  'uri',
  'keys',
  'sharedsecret',
]

/**
 * Checks that a registered key has a kind, and the members of its kind. Tells what was meant, and quotes nothing.
 *
 * @param name of the key, such as `registrations.0.keys.1`
 * @throws {ParameterError} when it has not
 */
export function assertKeyMembers(name: string, key: unknown): void {
  if (isText(key)) {
    const like = `an object such as { kind: '${kindOfPem(key) ?? 'x509'}', pem: … }`
    throw new ParameterError(name, like, problemOfPrivate(key))
  }
  assertParameter(name, key, 'object', { kind: 'text?' })
  const given: Readonly<Record<string, unknown>> = Object(key)
  if (!isKind(given.kind)) {
    const ofPrivate = isText(given.pem) ? problemOfPrivate(given.pem) : undefined
    const [place, problem] = ofPrivate ? [name, ofPrivate] : [`${name}.kind`, problemOfKind(given)]
    throw new ParameterError(place, listOfKinds, problem)
  }
  const [holder = ''] = Object.keys(holderOfKind[given.kind])
  const words = Object.fromEntries(holderWords.map(word => [word, holder]))
  const members = { kind: 'any', kid: 'any', algorithms: 'any', [holder]: 'any' } as const
  assertParameter(name, key, 'closed', members, { keyid: 'kid', alg: 'algorithms', ...words })
  const problem = problemOfDocument(given.kind, given[holder])
  if (problem) throw new ParameterError(`${name}.${holder}`, problem, `is ${problem}`)
}

/** The element of a list of one, as files of keys and registrations hold; any other value as it is. */
export function onlyOf<Value>(given: Value | readonly [Value]): Value {
  return Array.isArray(given) && given.length === 1 ? given[0] : (given as Value)
}

function isKind(kind: unknown): kind is Kind {
  return typeof kind === 'string' && kinds.includes(kind)
}

function isText(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || ArrayBuffer.isView(value)
}

/** With a proper kind the import tells it, and the command that writes the public part. */
function problemOfPrivate(pem: string | Uint8Array): string | undefined {
  const isPrivate = readKeyContent(pem).blocks.some(({ label }) => label.endsWith('PRIVATE KEY'))
  return isPrivate ? `${privateKeyProblem.slice('it '.length)}.` : undefined
}

/** The kind of a PEM or DER file; `undefined` for a private key, and for text that is neither. */
function kindOfPem(pem: string | Uint8Array): 'x509' | 'spki' | undefined {
  const labels = readKeyContent(pem).blocks.map(({ label }) => label)
  if (labels.includes('CERTIFICATE')) return 'x509'
  return labels.some(label => label.endsWith('PUBLIC KEY')) ? 'spki' : undefined
}

/** The list of kinds, and the one that was meant. */
function problemOfKind(key: Readonly<Record<string, unknown>>): string {
  const { kind, pem, kty } = key
  const must = `${kind === undefined ? 'is missing. It' : ''} must be ${listOfKinds}.`.trim()
  const ofPem = isText(pem) ? kindOfPem(pem) : undefined
  if (ofPem) return `${must} For this ${ofPem === 'x509' ? 'certificate' : 'public key'} write ${ofPem}.`
  if (kty !== undefined) return `${must} For a JSON Web Key write { kind: 'jwk', jwk: … }.`
  const byMember = ['jwk', 'secret'].find(member => member in key) ?? ('url' in key ? 'jwks' : undefined)
  const meant = byMember ?? (typeof kind === 'string' ? findNearName(kind, kinds, kindWords) : undefined)
  return meant ? `${must} Did you mean ${meant}?` : must
}

/** A JSON document where its parsed form, or its address, belongs. */
function problemOfDocument(kind: Kind, held: unknown): string | undefined {
  const isSet = isObject(held) && Array.isArray(held.keys)
  if (kind === 'jwk' && typeof held === 'string') return 'text: give what JSON.parse makes of it.'
  if (kind === 'jwk' && isSet)
    return 'a key set: give each of its keys by itself, or its address with kind jwks.'
  const isDocument = isSet || (typeof held === 'string' && /^\s*[{[]/.test(held))
  return kind === 'jwks' && isDocument
    ? 'a key set by itself: give the address that publishes it, or each of its keys with kind jwk.'
    : undefined
}
