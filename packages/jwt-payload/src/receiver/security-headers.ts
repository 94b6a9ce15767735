/** A policy for a page whose scripts and styles come from its own origin, besides inline scripts with the nonce. */
export function defaultContentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** For answers that load nothing: refusals and JSON. */
export const closedContentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Headers of every answer: it is personal, it is not framed, and its address is told to nobody. */
export function securityHeaders(requestId: string, contentSecurityPolicy: string): Headers {
  return new Headers({
    'cache-control': 'no-store',
    'content-security-policy': contentSecurityPolicy,
    // Any other value would cut the page off from the named window that a partner posts into: each post would open one more.
    'cross-origin-opener-policy': 'unsafe-none',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-request-id': requestId,
    vary: 'Accept',
  })
}
