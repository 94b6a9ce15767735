import type { Refusal } from '../../errors/refusals.ts'
import { PayloadShapeError } from '../../errors/refusals.ts'
import { escapeHtml } from '../../http/escape-html.ts'
import { MethodNotAllowedError, RateLimitedError } from '../receiver-errors.ts'
import { negotiate } from './negotiate.ts'
import { refusalTable } from './refusal-table.ts'
import { closedContentSecurityPolicy, securityHeaders } from './security-headers.ts'

/** Seconds after which a 503 is worth a retry. */
const unavailableRetrySeconds = 5

/** How a refusal is written. */
export interface RefusalForm {
  readonly requestId: string
  readonly asHtml: boolean
  /** Origins whose pages may frame it; none: nobody may. */
  readonly frameAncestors: readonly string[]
}

/**
 * Answers a refusal in the representation that the request asks for, exactly as the receiver does; for a service's own
 * checks in front of it.
 *
 * @param request only its `Accept` is read
 * @param requestId default: a random UUID
 * @example
 * ```ts
 * import { RateLimitedError, refusalResponse } from '@service-link/jwt-payload/receiver'
 *
 * return refusalResponse(new RateLimitedError(30, 'Too many payloads from this address were refused.'), request)
 * ```
 */
export function refusalResponse(
  refusal: Refusal,
  request: Request,
  requestId: string = crypto.randomUUID(),
): Response {
  const asHtml = negotiate(request.headers.get('accept')).wantsHtmlProblem
  return writeRefusal(refusal, { requestId, asHtml, frameAncestors: [] })
}

/**
 * Writes a refusal: `application/problem+json` (RFC 9457) with `code` and `requestId`, or a page that says the same.
 * Holds nothing of the token.
 */
export function writeRefusal(refusal: Refusal, { requestId, asHtml, frameAncestors }: RefusalForm): Response {
  const retryAfter = retryAfterOf(refusal)
  const headers = {
    ...securityHeaders(requestId, closedContentSecurityPolicy(frameAncestors), frameAncestors),
    ...(refusal instanceof MethodNotAllowedError ? { allow: refusal.allowed } : {}),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    'content-type': asHtml ? 'text/html; charset=utf-8' : 'application/problem+json',
  }
  const body = asHtml ? htmlOf(refusal, requestId) : JSON.stringify(problemOf(refusal, requestId))
  return new Response(body, { status: refusal.status, headers })
}

function retryAfterOf(refusal: Refusal): number | undefined {
  if (refusal instanceof RateLimitedError) return refusal.retryAfterSeconds
  return refusal.status === 503 ? unavailableRetrySeconds : undefined
}

function problemOf(refusal: Refusal, requestId: string) {
  return {
    type: 'about:blank',
    title: refusalTable[refusal.code].title,
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    requestId,
    ...(refusal instanceof PayloadShapeError ? { issues: refusal.issues } : {}),
  }
}

function htmlOf(refusal: Refusal, requestId: string): string {
  const title = escapeHtml(refusalTable[refusal.code].title)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{overflow-wrap:anywhere}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${escapeHtml(refusal.message)}</p>
<p>You can close this window and open the service from your application again.</p>
<p>For support: <code>${refusal.code}</code>, request <code>${escapeHtml(requestId)}</code></p>
</main>
</body>
</html>
`
}
