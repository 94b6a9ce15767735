/** Codes by which a handler refuses a command; the caller of the wrapper gets them as they are. */
export type HostCallCode = 'ERR_NOT_FOUND' | 'ERR_NOT_SIGNED_IN' | 'ERR_ARGS' | 'ERR_WEB_APP'

/** One argument that is not acceptable; holds no value. */
export interface HostCallIssue {
  /** Name of the argument. */
  readonly path: string
  /** What is wrong, as a clause such as `is unknown`. */
  readonly problem: string
}

/**
 * Thrown by a handler to refuse a command. Code and message reach the partner who gave the command: write no personal data
 * into the message. Of any other error that a handler throws, the partner learns nothing but that there was one.
 *
 * @example
 * ```ts
 * import { connectHost, HostCallError } from '@service-link/wrapper-host/page'
 *
 * connectHost({
 *   openWorkout({ id }) {
 *     throw new HostCallError('ERR_NOT_FOUND', 'There is no workout with this id.')
 *   },
 * })
 * ```
 */
export class HostCallError extends Error {
  override readonly name = 'HostCallError'
  readonly code: HostCallCode
  readonly issues: readonly HostCallIssue[]

  /** @param issues with `ERR_ARGS`: which arguments */
  constructor(code: HostCallCode, message: string, issues: readonly HostCallIssue[] = []) {
    super(message)
    this.code = code
    this.issues = issues
  }
}
