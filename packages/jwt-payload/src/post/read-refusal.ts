import { isRefusalCode } from '../errors/refusals.ts'
import { holdsTokenText } from './holds-token-text.ts'
import { PostRefusedError } from './post-errors.ts'
import { isOfType, memberOf, parseObject } from './read-json.ts'

/** Longest sentence of a refusal that is handed on, in UTF-16 code units. */
const maxDetailLength = 1000

/**
 * Reads why a post was refused. What answers may be something other than the service: its words go into a message that is
 * logged, so they are cut, have no control characters, and are dropped when they hold a part of the token: its claims are
 * only encoded.
 *
 * @param body of the response
 * @param token that was posted
 */
export function readRefusal(response: Response, body: string, token: string): PostRefusedError {
  const problem = isOfType(response, 'application/problem+json') ? parseObject(body) : {}
  const code = memberOf(problem, 'code')
  const detail = readDetail(memberOf(problem, 'detail') ?? '', token)
  const ids = [memberOf(problem, 'requestId'), response.headers.get('x-request-id')]
  return new PostRefusedError({
    status: response.status,
    refusalCode: isRefusalCode(code) ? code : undefined,
    requestId: ids.find(id => isId(id, token)) ?? undefined,
    retryAfterSeconds: readRetryAfter(response.headers),
    ...(detail === '' ? {} : { detail }),
  })
}

function readDetail(text: string, token: string): string {
  const detail = text.slice(0, maxDetailLength)
  return holdsTokenText(detail, token) ? '' : detail.replace(/\p{Cc}+/gu, ' ')
}

function isId(id: string | null | undefined, token: string): boolean {
  return !!id && /^[\w.:-]{1,128}$/.test(id) && !holdsTokenText(id, token)
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
