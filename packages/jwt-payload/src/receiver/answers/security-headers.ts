/**
 * A policy for a page whose scripts and styles come from its own origin, besides inline scripts with the nonce.
 *
 * @param frameAncestors origins whose pages may frame it; none: nobody may
 * @param imageSources what images may come from besides its own origin
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
export function closedContentSecurityPolicy(frameAncestors: readonly string[] = []): string {
  return `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ${frameAncestorsDirective(frameAncestors)}`
}

function frameAncestorsDirective(origins: readonly string[]): string {
  return `frame-ancestors ${origins.length > 0 ? origins.join(' ') : "'none'"}`
}

/**
 * Headers of every answer: it is personal, it is framed by nobody else than the origins given, and its address is told to
 * nobody. A plain object, which a server can write out as it is.
 */
export function securityHeaders(
  requestId: string,
  contentSecurityPolicy: string,
  frameAncestors: readonly string[] = [],
): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': contentSecurityPolicy,
    // Any other value would cut the page off from the named window that a partner posts into: each post would open one more.
    'cross-origin-opener-policy': 'unsafe-none',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    vary: 'Accept',
    // It knows no list of origins; browsers that frame a page by the policy do not need it.
    ...(frameAncestors.length === 0 ? { 'x-frame-options': 'DENY' } : {}),
  }
}
