import { PayloadShapeError } from '../errors/payload-errors.ts'
import type { Refusal } from '../errors/refusal.ts'
import { escapeHtml } from '../html/escape-html.ts'
import { MethodNotAllowedError } from './receiver-errors.ts'
import { closedContentSecurityPolicy, securityHeaders } from './security-headers.ts'

/** Seconds after which a 503 is worth a retry. */
const retryAfterSeconds = 5

const titles: Readonly<Record<Refusal['status'], string>> = {
  400: 'The request cannot be read',
  401: 'The payload is not accepted',
  403: 'The partner is not active',
  405: 'Method not allowed',
  410: 'The link is gone',
  413: 'The payload is too large',
  415: 'The body is not a form',
  422: 'Claims are not accepted',
  429: 'Too many requests',
  503: 'The service is not available',
}

/**
 * Answers a refusal: `application/problem+json` (RFC 9457) with `code` and `requestId`, or a page that says the same.
 * Holds nothing of the token.
 */
export function refusalResponse(
  refusal: Refusal,
  { requestId, asHtml }: { readonly requestId: string; readonly asHtml: boolean },
): Response {
  const headers = securityHeaders(requestId, closedContentSecurityPolicy)
  if (refusal instanceof MethodNotAllowedError) headers.set('allow', refusal.allowed)
  if (refusal.status === 503) headers.set('retry-after', String(retryAfterSeconds))
  headers.set('content-type', asHtml ? 'text/html; charset=utf-8' : 'application/problem+json')
  const body = asHtml ? htmlOf(refusal, requestId) : JSON.stringify(problemOf(refusal, requestId))
  return new Response(body, { status: refusal.status, headers })
}

function problemOf(refusal: Refusal, requestId: string) {
  return {
    type: 'about:blank',
    title: titles[refusal.status],
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    requestId,
    ...(refusal instanceof PayloadShapeError ? { issues: refusal.issues } : {}),
  }
}

function htmlOf(refusal: Refusal, requestId: string): string {
  const title = escapeHtml(titles[refusal.status])
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
