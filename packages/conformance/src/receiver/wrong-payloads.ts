import { randomUUID } from 'node:crypto'
import { payloadAlgorithms, type RefusalCode } from '@service-link/jwt-payload'
import file from '@service-link/vectors/payload-verification.json' with { type: 'json' }
import { writeToken } from '../tokens/write-token.ts'
import type { ReceiverSubject } from './open-receiver.ts'

/** A payload of the vectors that a receiver refuses from any partner. */
export interface WrongPayload {
  readonly id: string
  readonly spec: string
  /** Its subject, as a sentence. */
  readonly name: string
  readonly code: RefusalCode
  /** Writes its token for this receiver, with the partner's key and the present time. */
  write(receiver: ReceiverSubject): Promise<string>
}

type Vector = (typeof file.vectors)[number]
type Claims = Readonly<Record<string, unknown>>

/** Codes of what is wrong in claims. The token is signed anew. */
const codesOfClaims = new Set([
  'ERR_PAYLOAD_TIMES',
  'ERR_PAYLOAD_EXPIRED',
  'ERR_PAYLOAD_NOT_YET_VALID',
  'ERR_PAYLOAD_AUDIENCE',
  'ERR_PAYLOAD_SHAPE',
])

/** The vectors whose refusal depends neither on the partner's keys nor on a lenient policy. */
export const wrongPayloads: readonly WrongPayload[] = file.vectors.flatMap(vector => {
  const { id, spec, name, error } = vector
  const write = error && writerOf(vector, error.code)
  return write ? [{ id, spec, name: name.replace(/ \[.*$/, ''), code: error.code as RefusalCode, write }] : []
})

function writerOf({ input }: Vector, code: string): WrongPayload['write'] | undefined {
  const { token, policy, now, audience } = input
  if (token === undefined || policy !== 'strict' || 'ends' in input) return undefined
  const [header = '', claims = '', signature = ''] = token.split('.')
  const read = parse(claims)
  if (codesOfClaims.has(code)) {
    if (!read || 'end' in read) return undefined
    return receiver => writeToken(receiver.key, asOfNow(read, { now, audience }, receiver))
  }
  // A fault of the claims shows when the signature fits, one of the rest before.
  const isFaultOfClaims = isPlain(header) && !isPlain(claims) && /^[\w-]+$/.test(claims) && signature !== ''
  if (code === 'ERR_PAYLOAD_MALFORMED' && isFaultOfClaims)
    return receiver => writeToken(receiver.key, Buffer.from(claims, 'base64url'))
  if (code === 'ERR_PAYLOAD_MALFORMED') return async () => token
  const { alg } = parse(header) ?? {}
  if (code !== 'ERR_PAYLOAD_ALGORITHM' || payloadAlgorithms.some(known => known === alg)) return undefined
  return async ({ key }) => [encode({ ...parse(header), kid: key.keyId }), claims, signature].join('.')
}

/** Moves the times of a vector to now, and puts address, issuer and a new `jti` in their places. */
function asOfNow(
  claims: Claims,
  vector: { readonly now: string; readonly audience: string },
  { address, issuer }: ReceiverSubject,
): Claims {
  const then = Date.parse(vector.now) / 1000
  const passed = Math.floor(Date.now() / 1000) - then
  const year = 365 * 24 * 3600
  const moved = Object.entries(claims).map(([name, value]) => {
    if (!['iat', 'exp', 'nbf'].includes(name) || typeof value !== 'number') return [name, value]
    return [name, Math.abs(value - then) < year ? value + passed : value]
  })
  const { aud, jti } = claims
  return {
    ...Object.fromEntries(moved),
    iss: issuer,
    aud: aud === vector.audience ? address : aud,
    jti: typeof jti === 'string' && jti.startsWith('vector-') ? randomUUID() : jti,
  }
}

function parse(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Whether a part is a JSON object as programs write it. */
function isPlain(part: string): boolean {
  return JSON.stringify(parse(part)) === Buffer.from(part, 'base64url').toString()
}

const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url')
