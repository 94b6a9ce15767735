import { isRefusalCode } from '../errors/refusal-codes.ts'
import { PostRefusedError } from './post-errors.ts'
import { isOfType, memberOf, parseObject } from './read-json.ts'

/** Longest sentence of a refusal that is handed on, in UTF-16 code units. */
const maxDetailLength = 1000

/**
 * Reads why a post was refused. What answers may be something other than the service: its words go into a message that is
 * logged, so they are cut, have no control characters, and never hold the token.
 *
 * @param body of the response
 * @param token that was posted
 */
export function readRefusal(response: Response, body: string, token: string): PostRefusedError {
  const problem = isOfType(response, 'application/problem+json') ? parseObject(body) : {}
  const code = memberOf(problem, 'code')
  const detail = memberOf(problem, 'detail')
  return new PostRefusedError({
    status: response.status,
    refusalCode: isRefusalCode(code) ? code : undefined,
    requestId: readId(memberOf(problem, 'requestId')) ?? readId(response.headers.get('x-request-id')),
    retryAfterSeconds: readRetryAfter(response.headers),
    ...(detail === undefined || detail.includes(token) ? {} : { detail: readDetail(detail) }),
  })
}

function readDetail(detail: string): string {
  return detail.slice(0, maxDetailLength).replace(/\p{Cc}+/gu, ' ')
}

function readId(id: string | null | undefined): string | undefined {
  return id && /^[\w.:-]{1,128}$/.test(id) ? id : undefined
}

/** A number of seconds, or a time (RFC 9110, 10.2.3), which counts from the answer's own. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const until = Date.parse(value)
  if (!/ GMT$/.test(value) || Number.isNaN(until)) return undefined
  const answered = Date.parse(headers.get('date') ?? '')
  return Math.max(0, Math.ceil((until - (Number.isNaN(answered) ? Date.now() : answered)) / 1000))
}
