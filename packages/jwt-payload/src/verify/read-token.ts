import { assertParameter, isObject } from '@service-link/protocol-core/errors'
import { PayloadMalformedError, PayloadTooLargeError } from '../errors/refusals.ts'
import { kindOfText } from '../http/page-text.ts'
import { readBase64url } from '../keys/base64url.ts'

/** Largest token, in bytes. A receiver's form has the same limit and includes `payload=`: a posted token has 8 bytes less. */
export const maxTokenBytes = 64 * 1024

/** Deepest nesting of claims. The specification's own need two levels. */
const maxClaimDepth = 16

/** Most members and list elements of claims, all levels together. The specification's own need 20. */
const maxClaimValues = 4096

/** Says what was posted in the place of a token, if it looks like something. */
function hintOn(text: string): string {
  const kind = kindOfText(text)
  return kind ? ` It is ${kind}: pass on the token alone, as it was signed.` : ''
}

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A token that was read and not verified. Anyone may have written it. */
export interface UnverifiedToken {
  /** The signed text: header and claims as they travel. */
  readonly signingInput: string
  readonly signature: Uint8Array
  readonly header: JsonObject
  /**
   * Parses the claims at the first call. Before the signature fits, call it only to find the partner by `iss`.
   *
   * @throws {PayloadMalformedError} when they are not a JSON object, or nested too deep
   */
  readonly claims: () => JsonObject
}

/** Splits a compact JWT into its three base64url parts and reads its header. */
export function readToken(text: string): UnverifiedToken {
  assertParameter('token', text, 'text')
  if (text.length > maxTokenBytes) throw new PayloadTooLargeError(maxTokenBytes)
  const first = text.indexOf('.')
  const second = text.indexOf('.', first + 1)
  if (first < 1 || second <= first + 1 || text.includes('.', second + 1))
    throw new PayloadMalformedError(
      `The payload is not a signed JWT: it needs three parts with dots between them.${hintOn(text)}`,
    )
  const header = readObject(decodePart(text.slice(0, first), 'header'), 'header')
  if ('crit' in header)
    throw new PayloadMalformedError(
      'The header’s crit asks for extensions, and none is known here. Leave it out.',
    )
  const claimBytes = decodePart(text.slice(first + 1, second), 'claims')
  let parsed: JsonObject | undefined
  const claims = () => {
    parsed ??= readObject(claimBytes, 'claims')
    return parsed
  }
  return {
    signingInput: text.slice(0, second),
    // An empty signature is accepted here: the check of the algorithm or of the signature refuses it later.
    signature: decodePart(text.slice(second + 1), 'signature'),
    header,
    claims,
  }
}

/** The names by which a token's partner is found. `issuer` throws a refusal for claims that cannot be read. */
export function namesIn({ header, claims }: UnverifiedToken) {
  return {
    keyId: nameOf(header.kid),
    certificateDigest: nameOf(header['x5t#S256']) ?? nameOf(header.x5t),
    get issuer() {
      return nameOf(claims().iss)
    },
  }
}

function decodePart(segment: string, part: 'header' | 'claims' | 'signature'): Uint8Array {
  const bytes = readBase64url(segment)
  if (bytes) return bytes
  throw new PayloadMalformedError(
    `The ${part} of the JWT ${part === 'claims' ? 'are' : 'is'} not base64url without padding.${hintOn(segment)}`,
  )
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readObject(bytes: Uint8Array, what: 'header' | 'claims'): JsonObject {
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
    value = JSON.parse(text)
  } catch {
    throw new PayloadMalformedError(`The ${what} of the JWT cannot be read: JSON in UTF-8 is needed.`)
  }
  if (!isObject(value))
    throw new PayloadMalformedError(`The ${what} of the JWT cannot be read: a JSON object is needed.`)
  if (assertClaimDepth(value, what) !== countWrittenMembers(text))
    throw new PayloadMalformedError(`The ${what} of the JWT cannot be read: a member is there twice.`)
  return value
}

/**
 * Limits the depth and number of claims. Unknown claims are kept, and deep nesting would overflow the stack of `JSON.stringify`.
 *
 * @returns the number of members
 */
export function assertClaimDepth(claims: JsonObject, what: 'header' | 'claims' = 'claims'): number {
  const refuse = (problem: string) =>
    new PayloadMalformedError(`The ${what} of the JWT cannot be read: ${problem}.`)
  let members = 0
  let values = 0
  const count = (parent: JsonObject | readonly unknown[], depth: number): void => {
    if (depth > maxClaimDepth) throw refuse(`more than ${maxClaimDepth} levels are nested`)
    const children: readonly unknown[] = Array.isArray(parent) ? parent : Object.values(parent)
    if (!Array.isArray(parent)) members += children.length
    values += children.length
    if (values > maxClaimValues) throw refuse(`more than ${maxClaimValues} members and list elements`)
    for (const child of children) if (isObject(child) || Array.isArray(child)) count(child, depth + 1)
  }
  count(claims, 0)
  return members
}

/** A value that is text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/**
 * Counts the members of all objects in a JSON text, as written. Of two members with one name, a parser keeps one. Parsers
 * differ in which one they keep, so such a text is refused.
 */
export function countWrittenMembers(json: string): number {
  let count = 0
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    // Each member has one colon outside of strings.
    if (code === 0x3a) count++
    else if (code === 0x22) index = endOfString(json, index)
  }
  return count
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(json: string, index: number): boolean {
  let backslashes = 0
  while (json.charCodeAt(index - 1 - backslashes) === 0x5c) backslashes++
  return backslashes % 2 === 1
}

/** Longest name that finds a partner, in characters. A longer text counts as no name. */
const maxNameLength = 1024

function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= maxNameLength ? value : undefined
}
