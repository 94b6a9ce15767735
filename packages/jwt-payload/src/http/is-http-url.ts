/**
 * Whether a text is an absolute URL of http or https, as everybody reads it: with both slashes, without which a browser goes
 * from the page's own address, and without the white space and control characters that a URL parser drops.
 */
export function isHttpUrl(text: unknown): boolean {
  return (
    typeof text === 'string' &&
    /^https?:\/\/[^/\\]/i.test(text) &&
    !/[\s\p{Cc}]/u.test(text) &&
    URL.canParse(text)
  )
}
