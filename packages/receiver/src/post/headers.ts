import { frameAncestorsDirective } from '../receiver-options.ts'

/** Who sends a request: the request, and what its headers say. */
export interface Visitor {
  readonly request: Request
  /**
   * Whether a page made the browser send the request without a navigation of the user. Programs state no site, and a browser's
   * own request states the site `none`.
   */
  readonly isScripted: boolean
  /**
   * The origin of another site's script that waits for the answer: `fetch` of a browser, whose scripts cannot set these headers.
   * `undefined` for forms, scripts of the receiver's own pages and programs.
   */
  readonly scriptOrigin: string | undefined
  /** Such a script asks first whether it may post. */
  readonly isPreflight: boolean
  /** The answer that the visitor prefers: a one-time URL or the page. */
  readonly prefers: 'link' | 'page' | undefined
  readonly wantsHtmlProblem: boolean
  /** The origin of the page that posts a form. `undefined`: a GET, a program, or a page that hides it. */
  readonly formOrigin: string | undefined
  /** The browser loads a frame (`Sec-Fetch-Dest`, which no script can set). */
  readonly isInFrame: boolean
  readonly hasCookies: boolean
}

export function readVisitor(request: Request): Visitor {
  const { method, headers } = request
  const site = headers.get('sec-fetch-site') ?? 'none'
  const mode = headers.get('sec-fetch-mode')
  const origin = headers.get('origin') ?? undefined
  const isFetch = mode === 'cors' && (site === 'cross-site' || site === 'same-site')
  const scriptOrigin = isFetch ? origin : undefined
  const isQuestion = method === 'OPTIONS' && headers.has('access-control-request-method')
  return {
    request,
    isScripted: site !== 'none' && mode !== 'navigate',
    scriptOrigin,
    isPreflight: scriptOrigin !== undefined && isQuestion,
    ...negotiate(headers.get('accept')),
    formOrigin: origin === 'null' ? undefined : origin,
    isInFrame: ['iframe', 'frame'].includes(headers.get('sec-fetch-dest') ?? ''),
    hasCookies: headers.has('cookie'),
  }
}

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

/**
 * Whether the answer will stand in a frame: the partner has `frameOrigins`, and the browser says that it loads a frame. All other
 * requests are answered as for a window. So is a frame of another page: its session would belong to that page's site. If the
 * page's origin is not known, the browser enforces `frame-ancestors`.
 */
export function isFramed({ isInFrame, formOrigin }: Visitor, frameOrigins: readonly string[]): boolean {
  if (frameOrigins.length === 0 || !isInFrame) return false
  return formOrigin === undefined || frameOrigins.includes(formOrigin)
}

/** Headers of every answer: not cached, framed by the given origins alone, and without a referrer. */
export function securityHeaders(
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

/** Headers of answers that load nothing: refusals and JSON. */
export function closedHeaders(
  { scriptOrigin }: Visitor,
  requestId: string,
  frameAncestors: readonly string[] = [],
  scriptNonce = '',
): Record<string, string> {
  const scripts = scriptNonce && `script-src 'nonce-${scriptNonce}'; `
  const policy = `default-src 'none'; ${scripts}style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ${frameAncestorsDirective(frameAncestors)}`
  const headers = securityHeaders(requestId, policy, frameAncestors)
  if (scriptOrigin === undefined) return headers
  // Lets a script read the answer. No cookies: a request with credentials needs one more header.
  return {
    ...headers,
    'access-control-allow-origin': scriptOrigin,
    'access-control-expose-headers': 'Retry-After, X-Request-Id',
    vary: 'Accept, Origin',
  }
}

/** Answers a preflight: only the post that follows it can be refused readably. */
export function answerPreflight(visitor: Visitor, requestId: string): Response {
  const headers = {
    ...closedHeaders(visitor, requestId),
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': '*',
  }
  return new Response(null, { headers })
}
