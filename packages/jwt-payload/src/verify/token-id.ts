import { findTextProblem } from '@service-link/protocol-core'

/** Longest `jti`, in characters (Unicode code points). */
const maxTokenIdLength = 256

/** Tells why a value cannot be a `jti`; `undefined` when it can. */
export function findTokenIdProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return `must be text of 1 to ${maxTokenIdLength} characters`
  return findTextProblem(value, maxTokenIdLength)
}
