/**
 * Base of every error that a package of this project throws on purpose.
 *
 * Match by `code`, not by class: codes are API, never renamed and never reused. No message, field or `cause` holds a
 * token, a claim value, a secret or a person's data.
 */
export abstract class ServiceLinkError<Code extends string = string> extends Error {
  /** Stable identifier of the failure, `ERR_…`. */
  abstract readonly code: Code

  override get name(): string {
    return this.constructor.name
  }
}

/** Whether `value` is an error of this project, also when two copies of a package are loaded. */
export function isServiceLinkError(value: unknown): value is ServiceLinkError {
  return (
    value instanceof Error &&
    'code' in value &&
    typeof value.code === 'string' &&
    value.code.startsWith('ERR_')
  )
}
