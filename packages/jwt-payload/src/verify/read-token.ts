import { base64url } from 'jose'
import { PayloadMalformedError, PayloadTooLargeError } from '../errors/payload-errors.ts'

/** Largest token, in bytes: what fits into the receiver's 64 KiB. */
export const maxTokenBytes = 64 * 1024

/** Deepest nesting of claims. The specification's own need two levels. */
export const maxClaimDepth = 16

/** A token taken apart. Nothing of it is to be trusted. */
export interface UnverifiedToken {
  readonly text: string
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Takes a compact JWT apart: three base64url segments, a header and claims that are JSON objects.
 *
 * @throws {PayloadTooLargeError} when it is longer than {@link maxTokenBytes}
 * @throws {PayloadMalformedError} when it is not a compact JWT, or its header asks for an extension (`crit`)
 */
export function readToken(text: string): UnverifiedToken {
  if (text.length > maxTokenBytes) throw new PayloadTooLargeError(maxTokenBytes)
  const first = text.indexOf('.')
  const second = text.indexOf('.', first + 1)
  if (first < 1 || second < 0 || text.includes('.', second + 1))
    throw new PayloadMalformedError(
      'The payload is not a signed JWT: it needs three parts with dots between them.',
    )
  const header = readObject(text.slice(0, first), 'header')
  if ('crit' in header)
    throw new PayloadMalformedError(
      'The header’s crit asks for extensions, and none is known here. Leave it out.',
    )
  const claims = readObject(text.slice(first + 1, second), 'claims')
  assertDepth(claims)
  if (!/^[A-Za-z0-9_-]*$/.test(text.slice(second + 1)))
    throw new PayloadMalformedError('The signature is not base64url without padding.')
  return { text, header, claims }
}

function readObject(segment: string, what: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(base64url.decode(segment)))
  } catch {
    throw new PayloadMalformedError(`The ${what} of the JWT are not JSON in UTF-8 and base64url.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PayloadMalformedError(`The ${what} of the JWT are not a JSON object.`)
  return Object.fromEntries(Object.entries(value))
}

/** Unknown claims are kept: a nested bomb would overflow the stack of whoever writes them as JSON again. */
function assertDepth(claims: object): void {
  let level: object[] = [claims]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxClaimDepth)
      throw new PayloadMalformedError(`The claims are nested deeper than ${maxClaimDepth} levels.`)
    level = level.flatMap(value => Object.values(value).filter(isObject))
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
