import { type ArgsIssue, findTextProblem } from '@service-link/protocol-core'

/** Longest `jti`, in characters (Unicode code points). */
const maxTokenIdLength = 256

/** What is told of a `jti` that {@link isTokenId} refuses. */
export const tokenIdIssue: ArgsIssue = {
  path: 'jti',
  problem: `must be text of 1 to ${maxTokenIdLength} characters`,
}

/** Whether a value can be a `jti`. */
export function isTokenId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && findTextProblem(value, maxTokenIdLength) === undefined
}
