/** Why the operating system or SQLite refused something, in a word or two without names or paths. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if ('errstr' in error) return String(error.errstr)
  return 'code' in error ? String(error.code) : 'unknown reason'
}
