/**
 * What the web app's page may load: all of it from the service itself.
 *
 * @param nonce of the page's inline scripts; without one it may have none
 * @param frameAncestors origins whose pages may show it in a frame. Default none
 * @param imageSources what images may come from besides: the origin of a partner's logo. Default none
 */
export function contentSecurityPolicy(
  nonce?: string,
  frameAncestors: readonly string[] = [],
  imageSources: readonly string[] = [],
): string {
  return [
    "default-src 'self'",
    nonce === undefined ? "script-src 'self'" : `script-src 'self' 'nonce-${nonce}'`,
    // The component library writes its dynamic styles into style elements.
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data:", ...imageSources].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
  ].join('; ')
}
