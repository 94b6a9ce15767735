import { assertParameter } from '@service-link/protocol-core/errors'
import { PayloadShapeError, type Refusal, type RefusalCode } from '../errors/refusals.ts'
import { type Applied, type HeldForLogIn, isFramed, sessionContextOf } from './apply-delivery.ts'
import type { ReceiverParts, RequestContext } from './audit.ts'
import type { DeliveryPartner, PartnerAppearance } from './partner-registration.ts'
import type { Account, Delivery } from './ports.ts'
import { MethodNotAllowedError, RateLimitedError } from './receiver-errors.ts'
import { frameAncestorsDirective } from './receiver-options.ts'
import { helpUrlOf, type RefusalFacts, type RenderRefusal, renderRefusalPage } from './refusal-page.ts'
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
    const end = range.indexOf(';')
    const value = Number(end < 0 ? 1 : (/;\s*q=([^;]*)/.exec(range)?.[1] ?? 1))
    quality.set((end < 0 ? range : range.slice(0, end)).trim(), Number.isFinite(value) ? value : 0)
  }
  return quality
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

/**
 * The origin of another site's script that waits for the answer: `fetch` of a browser, whose scripts cannot set these headers.
 * `undefined` for forms, scripts of the receiver's own pages and programs.
 */
export function scriptOriginOf({ headers }: Request): string | undefined {
  const isOtherOrigin = ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')
  const isFetch = isOtherOrigin && headers.get('sec-fetch-mode') === 'cors'
  return isFetch ? (headers.get('origin') ?? undefined) : undefined
}

/** Lets a script read the answer. No cookies: a request with credentials needs one more header. */
function corsHeaders(request: Request): Record<string, string> {
  const origin = scriptOriginOf(request)
  if (origin === undefined) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Retry-After, X-Request-Id',
    vary: 'Accept, Origin',
  }
}

/** Headers of answers that load nothing: refusals and JSON. */
function closedHeaders(request: Request, requestId: string, frameAncestors: readonly string[] = []) {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ${frameAncestorsDirective(frameAncestors)}`
  return { ...securityHeaders(requestId, policy, frameAncestors), ...corsHeaders(request) }
}

/** Answers a preflight: only the post that follows it can be refused readably. */
export function answerPreflight(request: Request, requestId: string): Response {
  const headers = {
    ...closedHeaders(request, requestId),
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': '*',
  }
  return new Response(null, { headers })
}

/** Answers with a one-time URL for the partner to open by itself. */
export function answerLink(url: string, request: Request, requestId: string): Response {
  const headers = { ...closedHeaders(request, requestId), 'content-type': 'application/json' }
  return new Response(JSON.stringify({ url }), { status: 200, headers })
}

/** Seconds after which a 503 is worth a retry. */
const unavailableRetrySeconds = 5

/** Options of {@link refusalResponse}. */
export interface RefusalResponseOptions {
  /** Default: a random UUID. */
  readonly requestId?: string
  /** The verified partner: its pages may frame the answer. Default: none. */
  readonly partner?: DeliveryPartner | undefined
  /** Default: the built-in page. */
  readonly renderRefusal?: RenderRefusal
}

/**
 * Answers a refusal as `application/problem+json` (RFC 9457) with `code` and `requestId`, or as a page: a sentence for its
 * reader, and the same facts in a fold for developers. The request's `Accept` decides; a script of another origin gets the problem,
 * and may read it. The answer holds nothing of the token. A service may also use it for its own checks in front of the receiver.
 *
 * @param request its headers are read; `renderRefusal` gets it
 * @throws {ParameterError} if an option is of another type or not known
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
  options: RefusalResponseOptions = {},
): Response {
  assertParameter('options', options, 'closed', {
    requestId: 'text?',
    partner: 'object?',
    renderRefusal: 'function?',
  })
  const { requestId = crypto.randomUUID(), partner, renderRefusal = renderRefusalPage } = options
  const isForScript = scriptOriginOf(request) !== undefined
  const asHtml = !isForScript && negotiate(request.headers.get('accept')).wantsHtmlProblem
  const retryAfter = retryAfterOf(refusal)
  const headers = {
    ...closedHeaders(request, requestId, partner?.frameOrigins),
    ...(refusal instanceof MethodNotAllowedError ? { allow: refusal.allowed } : {}),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    'content-type': asHtml ? 'text/html; charset=utf-8' : 'application/problem+json',
  }
  const body = asHtml
    ? renderSafely(renderRefusal, {
        refusal,
        requestId,
        helpUrl: helpUrlOf(refusal.code),
        partner: partner && { id: partner.id, name: partner.name, appearance: partner.appearance },
        request,
      })
    : JSON.stringify(problemOf(refusal, requestId))
  return new Response(body, { status: refusal.status, headers })
}

function renderSafely(render: RenderRefusal, facts: RefusalFacts): string {
  try {
    return render(facts)
  } catch {
    return renderRefusalPage(facts)
  }
}

function retryAfterOf(refusal: Refusal): number | undefined {
  if (refusal instanceof RateLimitedError) return refusal.retryAfterSeconds
  return refusal.status === 503 ? unavailableRetrySeconds : undefined
}

/** Titles of refusals. For all others: the payload is not accepted. */
const titles: Partial<Record<RefusalCode, string>> = {
  ERR_NOT_NAVIGATED: 'Not opened by the user',
  ERR_METHOD_NOT_ALLOWED: 'Method not allowed',
  ERR_MEDIA_TYPE: 'The body is not a form',
  ERR_PAYLOAD_TOO_LARGE: 'The payload is too large',
  ERR_PAYLOAD_MISSING: 'The request cannot be read',
  ERR_PAYLOAD_MALFORMED: 'The request cannot be read',
  ERR_CROSS_ORIGIN: 'Not posted by a form',
  ERR_PARTNER_INACTIVE: 'The partner is not active',
  ERR_PAYLOAD_SHAPE: 'Claims are not accepted',
  ERR_RATE_LIMITED: 'Too many requests',
  ERR_UNAVAILABLE: 'The service is not available',
  ERR_LINK_GONE: 'The link is gone',
}

/** `title` of a refusal's problem. */
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

/** Answers with the page that opens the web app, and tells the listener. Makes the session if the transaction has not. */
export async function answerPage(
  visit: Applied | HeldForLogIn,
  request: Request,
  context: RequestContext,
  before: Account | undefined,
  { sessions, renderPage, contentSecurityPolicy, tell }: ReceiverParts,
): Promise<Response> {
  context.isTaken = true
  const { delivery } = visit
  const { requestId } = delivery
  const { id, name, appearance, frameOrigins } = delivery.partner
  // 244 random bits. Runtimes make UUIDs in batches; 16 random bytes for each post take longer than all its headers.
  const nonce = `${crypto.randomUUID()}${crypto.randomUUID()}`
  const policy = contentSecurityPolicy(nonce, frameOrigins, imageSourcesOf(appearance))
  const headers = {
    ...securityHeaders(requestId, policy, frameOrigins),
    'content-type': 'text/html; charset=utf-8',
  }
  let setCookies: readonly string[] = []
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
    setCookies = session.setCookies
    const replaced = before && before.id !== account.id ? { replacedAccount: before } : {}
    outcome = { ...shown, kind: 'signed-in', account, contact, ...replaced }
  }
  const html = await renderPage(outcome, { nonce })
  tell({ requestId, event: context.event, result: outcome.kind, partnerId: id })
  const response = new Response(html, { status: 200, headers })
  for (const cookie of setCookies) response.headers.append('set-cookie', cookie)
  return response
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
