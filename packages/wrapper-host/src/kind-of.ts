import { isServiceLinkError } from '@service-link/protocol-core/errors'

const languageErrors: ReadonlySet<string> = new Set([
  'AggregateError',
  'Error',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
])

/** Codes of Node and of operating systems. */
const systemCode = /^(?:ERR_[A-Z\d_]{1,60}|E[A-Z\d]{1,31})$/

/**
 * What kind of error it is: its code where it has one, else the name that the language gives it. Its message may hold personal
 * data, and so may a name or a code that somebody else has made up: nothing of those is repeated.
 *
 * @returns a word or a few, such as `ERR_ENGINE`, `ELOOP`, `TypeError` or `an error of its own`
 */
export function kindOf(error: unknown): string {
  if (isServiceLinkError(error)) return error.code
  if (!(error instanceof Error)) return 'no error'
  if ('code' in error && typeof error.code === 'string' && systemCode.test(error.code)) return error.code
  return languageErrors.has(error.name) ? error.name : 'an error of its own'
}
