/** Whether a value looks like a compact JWT: three parts of base64url, of which the last may be empty. */
export function isCompactJwt(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]+\.[\w-]+\.[\w-]*$/.test(value)
}
