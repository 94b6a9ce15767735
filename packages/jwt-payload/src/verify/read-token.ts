import { assertParameter } from '@service-link/protocol-core'
import { PayloadMalformedError, PayloadTooLargeError } from '../errors/payload-errors.ts'
import { decodeBase64url, hasCanonicalEnd, isBase64url } from '../keys/base64url.ts'
import { assertClaimDepth, isObject, type JsonObject } from './claim-depth.ts'
import { countWrittenMembers } from './written-members.ts'

/** Largest token that is read, in bytes. A receiver's form has the same limit, and `payload=` is a part of it: 8 bytes less fit. */
export const maxTokenBytes = 64 * 1024

/** A token taken apart. Nothing of it is to be trusted. */
export interface UnverifiedToken {
  /** What was signed: header and claims as they travel. */
  readonly signingInput: string
  readonly signature: Uint8Array<ArrayBuffer>
  readonly header: JsonObject
  /**
   * Reads the claims, the first time. Before the signature fits they are needed where only `iss` names the partner.
   *
   * @throws {PayloadMalformedError} when they are not a JSON object, or nested too deep
   */
  readonly claims: () => JsonObject
}

/** Longest header that is kept, in characters. */
const maxKeptHeader = 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Takes a compact JWT apart: three base64url segments, a header and claims that are JSON objects.
 *
 * @throws {ParameterError} when it is no text
 * @throws {PayloadTooLargeError} when it is longer than {@link maxTokenBytes}
 * @throws {PayloadMalformedError} when it is not a compact JWT, or its header asks for an extension (`crit`)
 */
export function readToken(text: string): UnverifiedToken {
  assertParameter('token', text, 'text')
  if (text.length > maxTokenBytes) throw new PayloadTooLargeError(maxTokenBytes)
  const first = text.indexOf('.')
  const second = text.indexOf('.', first + 1)
  if (first < 1 || second <= first + 1 || text.includes('.', second + 1))
    throw new PayloadMalformedError(
      'The payload is not a signed JWT: it needs three parts with dots between them.',
    )
  const header = readHeader(text.slice(0, first))
  if (!isBase64url(text.slice(first + 1, second)))
    throw new PayloadMalformedError('The claims of the JWT are not base64url without padding.')
  let claims: JsonObject | undefined
  return {
    signingInput: text.slice(0, second),
    signature: decodeSignature(text.slice(second + 1)),
    header,
    claims: () => {
      claims ??= readObject(text.slice(first + 1, second), 'claims')
      return claims
    },
  }
}

/** The header that was read last: one signer writes the same for each token. */
let lastHeader: { readonly segment: string; readonly header: JsonObject } | undefined

function readHeader(segment: string): JsonObject {
  if (lastHeader?.segment === segment) return lastHeader.header
  const header = Object.freeze(readObject(segment, 'header'))
  if ('crit' in header)
    throw new PayloadMalformedError(
      'The header’s crit asks for extensions, and none is known here. Leave it out.',
    )
  if (segment.length <= maxKeptHeader) lastHeader = { segment, header }
  return header
}

function readObject(segment: string, what: 'header' | 'claims'): JsonObject {
  let text: string
  let value: unknown
  try {
    text = decodeText(segment)
    value = JSON.parse(text)
  } catch {
    throw new PayloadMalformedError(
      `The ${what} of the JWT cannot be read: JSON in UTF-8 and base64url without padding is needed.`,
    )
  }
  if (!isObject(value) || Array.isArray(value))
    throw new PayloadMalformedError(`The ${what} of the JWT cannot be read: a JSON object is needed.`)
  if (assertClaimDepth(value, what) !== countWrittenMembers(text))
    throw new PayloadMalformedError(`The ${what} of the JWT cannot be read: a member is there twice.`)
  return value
}

/** ASCII text, which claims mostly are, is decoded without a buffer between: buffers are what costs. */
function decodeText(segment: string): string {
  if (!isBase64url(segment)) throw new TypeError('Not base64url.')
  const binary = atob(segment.replaceAll('-', '+').replaceAll('_', '/'))
  return /[\x80-\xff]/.test(binary) ? utf8.decode(decodeBase64url(segment)) : binary
}

function decodeSignature(segment: string): Uint8Array<ArrayBuffer> {
  try {
    const bytes = decodeBase64url(segment)
    // The length tells whether the decoder skipped something, such as white space.
    if (bytes.length === Math.floor((segment.length * 3) / 4) && hasCanonicalEnd(segment)) return bytes
  } catch {
    // Told below.
  }
  throw new PayloadMalformedError('The signature of the JWT is not base64url without padding.')
}
