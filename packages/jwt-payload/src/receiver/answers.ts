import { PayloadShapeError, type Refusal, type RefusalCode } from '../errors/refusals.ts'
import { escapeHtml } from '../http/page-text.ts'
import { type Applied, type HeldForLogIn, isFramed, sessionContextOf } from './apply-delivery.ts'
import type { Reporter, RequestContext } from './audit.ts'
import type { PartnerAppearance } from './partner-registration.ts'
import type { Account, Delivery } from './ports.ts'
import { MethodNotAllowedError, RateLimitedError } from './receiver-errors.ts'
import { frameAncestorsDirective, type ReceiverSettings } from './receiver-options.ts'
import type { PageOutcome } from './render-boot-page.ts'

/**
 * Reads `Accept` (RFC 9110, 12.5.1). A client that prefers JSON to HTML gets the URL, and a client that names HTML gets
 * the page. All others get the partner's registered answer. A refusal is HTML only for a client that names HTML and does
 * not prefer JSON.
 */
export function negotiate(accept: string | null) {
  const quality = readAccept(accept ?? '')
  const html = Math.max(quality.get('text/html') ?? 0, quality.get('application/xhtml+xml') ?? 0)
  const json = quality.get('application/json') ?? 0
  const problem = Math.max(json, quality.get('application/problem+json') ?? 0)
  return {
    prefers: json > html ? ('link' as const) : html > 0 ? ('page' as const) : undefined,
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

/** For answers that load nothing: refusals and JSON. */
function closedContentSecurityPolicy(frameAncestors: readonly string[] = []): string {
  return `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ${frameAncestorsDirective(frameAncestors)}`
}

/** Headers of every answer: not cached, framed by the given origins alone, and without a referrer. */
function securityHeaders(
  requestId: string,
  contentSecurityPolicy: string,
  frameAncestors: readonly string[] = [],
): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': contentSecurityPolicy,
    // Any other value separates the page from its named window: each post of a partner would then open one more window.
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
 * by the request's `Accept`. The answer holds nothing of the token. A service may also use it for its own checks in front
 * of the receiver.
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

/** Headings of refusals. For all others: the payload is not accepted. */
const titles: Partial<Record<RefusalCode, string>> = {
  ERR_NOT_NAVIGATED: 'Not opened by the user',
  ERR_METHOD_NOT_ALLOWED: 'Method not allowed',
  ERR_MEDIA_TYPE: 'The body is not a form',
  ERR_PAYLOAD_TOO_LARGE: 'The payload is too large',
  ERR_PAYLOAD_MISSING: 'The request cannot be read',
  ERR_PAYLOAD_MALFORMED: 'The request cannot be read',
  ERR_PARTNER_INACTIVE: 'The partner is not active',
  ERR_PAYLOAD_SHAPE: 'Claims are not accepted',
  ERR_RATE_LIMITED: 'Too many requests',
  ERR_UNAVAILABLE: 'The service is not available',
  ERR_LINK_GONE: 'The link is gone',
}

/** Heading of a refusal's page, and `title` of its problem. */
export function titleOf(code: RefusalCode): string {
  return titles[code] ?? 'The payload is not accepted'
}

function problemOf(refusal: Refusal, requestId: string) {
  return {
    type: 'about:blank',
    title: titleOf(refusal.code),
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    requestId,
    ...(refusal instanceof PayloadShapeError ? { issues: refusal.issues } : {}),
  }
}

function htmlOf(refusal: Refusal, requestId: string): string {
  const title = escapeHtml(titleOf(refusal.code))
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

/** Answers with the page that opens the web app, and tells the listener. Makes the session if the transaction has not. */
export async function answerPage(
  visit: Applied | HeldForLogIn,
  request: Request,
  context: RequestContext,
  before: Account | undefined,
  { sessions, renderPage, contentSecurityPolicy }: ReceiverSettings,
  { tell }: Reporter,
): Promise<Response> {
  context.isTaken = true
  const { delivery } = visit
  const { requestId } = delivery
  const { id, name, appearance, frameOrigins } = delivery.partner
  // 244 random bits. Runtimes make UUIDs in batches; 16 random bytes for each post take longer than all its headers.
  const nonce = `${crypto.randomUUID()}${crypto.randomUUID()}`
  const policy = contentSecurityPolicy(nonce, frameOrigins, imageSourcesOf(appearance))
  const headers = new Headers({
    ...securityHeaders(requestId, policy, frameOrigins),
    'content-type': 'text/html; charset=utf-8',
  })
  const shown = {
    requestId,
    partner: { id, name, appearance },
    isFramed: isFramed(delivery.partner, request),
  }
  let outcome: PageOutcome
  if ('handle' in visit) {
    // A browser states the origin with every form that it posts; `null` means that the page hides it.
    const origin = request.headers.get('origin') ?? 'null'
    outcome = {
      ...shown,
      kind: 'log-in',
      employee: employeeFacts(delivery),
      ...(origin === 'null' ? {} : { sentFrom: origin }),
      handle: visit.handle,
      expiresAtMs: visit.expiresAt.getTime(),
    }
  } else {
    const { account, contact } = visit
    const session =
      visit.session ?? (await sessions.create(account, request, await sessionContextOf(delivery, request)))
    for (const cookie of session.setCookies) headers.append('set-cookie', cookie)
    const replaced = before && before.id !== account.id ? { replacedAccount: before } : {}
    outcome = { ...shown, kind: 'signed-in', account, contact, ...replaced }
  }
  const html = await renderPage(outcome, { nonce })
  tell({ requestId, event: context.event, result: outcome.kind, partnerId: id })
  return new Response(html, { status: 200, headers })
}

function imageSourcesOf({ logoUrl }: PartnerAppearance): readonly string[] {
  if (logoUrl === undefined) return []
  return [logoUrl.startsWith('data:') ? 'data:' : new URL(logoUrl).origin]
}

function employeeFacts({ employee, payload }: Delivery) {
  return {
    id: employee.employeeId,
    organizationId: employee.organizationId,
    organizationName: payload.organizationName,
    username: payload.employeeUsername,
    firstname: payload.employeeFirstname,
    lastname: payload.employeeLastname,
    email: payload.employeeEmail,
  }
}
