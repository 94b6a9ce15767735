import { isServiceLinkError } from '@service-link/protocol-core/errors'

/** Names the reason of the operating system or SQLite in a word or two, without names or paths. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if ('errstr' in error) return String(error.errstr)
  return 'code' in error ? String(error.code) : 'unknown reason'
}

const languageErrors: ReadonlySet<string> = new Set([
  'AggregateError',
  'Error',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
])

/** Codes of Node and of operating systems, which hold no personal data. */
const systemCode = /^(?:ERR_[A-Z\d_]{1,60}|E[A-Z\d]{1,31}|MODULE_NOT_FOUND)$/

/**
 * Names the kind of an error: its code, else its name in the language. Messages and other programs' names and codes may hold
 * personal data and are not repeated. Returns a few words, such as `ERR_ENGINE`, `ELOOP`, `TypeError` or `an error of its own`.
 */
export function kindOf(error: unknown): string {
  if (isServiceLinkError(error)) return error.code
  if (!(error instanceof Error)) return 'no error'
  if ('code' in error && typeof error.code === 'string' && systemCode.test(error.code)) return error.code
  return languageErrors.has(error.name) ? error.name : 'an error of its own'
}
