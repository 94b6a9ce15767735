import type { Refusal } from '../errors/refusals.ts'
import { PayloadShapeError } from '../errors/refusals.ts'
import { escapeHtml } from '../http/escape-html.ts'
import { MethodNotAllowedError, RateLimitedError } from './receiver-errors.ts'
import { refusalTable } from './refusal-table.ts'

/** What a client asks for. */
interface Wanted {
  /** The page, or a URL in JSON; `undefined`: either. */
  readonly prefers: 'page' | 'link' | undefined
  /** A refusal as a page, instead of problem+json. */
  readonly wantsHtmlProblem: boolean
}

/**
 * Reads `Accept` (RFC 9110, 12.5.1). A client that names JSON and prefers it to HTML gets the URL; one that names HTML gets the
 * page; all others get what is registered for the partner. A refusal is HTML only for a client that names HTML and does not
 * prefer JSON.
 */
export function negotiate(accept: string | null): Wanted {
  const quality = readAccept(accept ?? '')
  const html = Math.max(quality.get('text/html') ?? 0, quality.get('application/xhtml+xml') ?? 0)
  const json = quality.get('application/json') ?? 0
  const problem = Math.max(json, quality.get('application/problem+json') ?? 0)
  return {
    prefers: json > html ? 'link' : html > 0 ? 'page' : undefined,
    wantsHtmlProblem: html > 0 && html >= problem,
  }
}

function readAccept(accept: string): Map<string, number> {
  const quality = new Map<string, number>()
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map(part => part.trim())
    const q = parameters.find(parameter => parameter.startsWith('q='))
    const value = q === undefined ? 1 : Number(q.slice(2))
    quality.set(type, Number.isFinite(value) ? value : 0)
  }
  return quality
}

/**
 * A policy for a page whose scripts and styles come from its own origin, besides inline scripts with the nonce.
 *
 * @param frameAncestors origins whose pages may frame it; empty: no page may
 * @param imageSources sources of images besides its own origin
 */
export function defaultContentSecurityPolicy(
  nonce: string,
  frameAncestors: readonly string[] = [],
  imageSources: readonly string[] = [],
): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    ...(imageSources.length > 0 ? [`img-src 'self' ${imageSources.join(' ')}`] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    frameAncestorsDirective(frameAncestors),
  ].join('; ')
}

/** For answers that load nothing: refusals and JSON. */
function closedContentSecurityPolicy(frameAncestors: readonly string[] = []): string {
  return `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ${frameAncestorsDirective(frameAncestors)}`
}

function frameAncestorsDirective(origins: readonly string[]): string {
  return `frame-ancestors ${origins.length > 0 ? origins.join(' ') : "'none'"}`
}

/** Headers of every answer: personal, framed by the given origins only, its address told to nobody. */
export function securityHeaders(
  requestId: string,
  contentSecurityPolicy: string,
  frameAncestors: readonly string[] = [],
): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': contentSecurityPolicy,
    // Any other value cuts the page off from the named window that a partner posts into: each post would open one more.
    'cross-origin-opener-policy': 'unsafe-none',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    vary: 'Accept',
    // This header knows no list of origins. Browsers that know `frame-ancestors` do not need it.
    ...(frameAncestors.length === 0 ? { 'x-frame-options': 'DENY' } : {}),
  }
}

/** Answers with a one-time URL for the partner to open by itself. */
export function answerLink(url: string, requestId: string): Response {
  const headers = {
    ...securityHeaders(requestId, closedContentSecurityPolicy()),
    'content-type': 'application/json',
  }
  return new Response(JSON.stringify({ url }), { status: 200, headers })
}

/** Seconds after which a 503 is worth a retry. */
const unavailableRetrySeconds = 5

/**
 * Answers a refusal as `application/problem+json` (RFC 9457) with `code` and `requestId`, or as a page that says the same,
 * by the request's `Accept`. Holds nothing of the token. Also for a service's own checks in front of the receiver.
 *
 * @param request only its `Accept` is read
 * @param requestId default: a random UUID
 * @param frameAncestors origins whose pages may frame the answer. Default: none
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
  frameAncestors: readonly string[] = [],
): Response {
  const asHtml = negotiate(request.headers.get('accept')).wantsHtmlProblem
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
