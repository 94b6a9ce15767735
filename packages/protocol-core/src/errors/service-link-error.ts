/** The same symbol in every copy of this package that one process loads. */
const mark = Symbol.for('@service-link/protocol-core/error')

/**
 * Base class of every error that this project throws on purpose.
 *
 * Match by `code`, not by class: codes are API, never renamed and never reused. No message, field or `cause` holds a
 * token, a claim value, a secret or a person's data.
 */
export abstract class ServiceLinkError<Code extends string = string> extends Error {
  /** Stable identifier of the failure, `ERR_…`. */
  abstract readonly code: Code

  static {
    // biome-ignore lint/complexity/noThisInStatic: by its name a bundler would name the class twice
    Reflect.set(this.prototype, mark, true)
  }

  override get name(): string {
    return this.constructor.name
  }
}

/**
 * Whether `value` is an error of this project, also when two copies of a package are loaded. Errors of Node and of
 * other libraries are not, even if their codes begin with `ERR_`: their messages may hold secrets.
 *
 * @example
 * ```ts
 * import { isServiceLinkError } from '@service-link/protocol-core/errors'
 *
 * const codeOf = (error: unknown) => (isServiceLinkError(error) ? error.code : undefined)
 * ```
 */
export function isServiceLinkError(value: unknown): value is ServiceLinkError {
  return value instanceof Error && mark in value
}
