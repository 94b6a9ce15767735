import { errorIndex } from './docs-url.ts'

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

  /** Address of the code's entry in the error index; `undefined` for a code of another program, which the index has not. */
  get docsUrl(): string | undefined {
    return undefined
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

/** A class of errors that have one code. */
export interface ErrorClass<Code extends string, Given extends readonly unknown[], Facts, Base> {
  /** The code of all its errors. */
  readonly code: Code
  new (...args: Given): Base & Readonly<Facts> & { readonly code: Code }
}

/**
 * Makes the class of a code, to be extended under the name of the errors. Without a second argument the constructor takes the
 * sentence; with a sentence it takes another one or nothing; with a function it takes what the function does. The function returns
 * the sentence, and facts, which become fields. A sentence never quotes a value that could be a secret or a person's.
 *
 * `name` is of the errors, whatever a minifier calls the class. Default: the words of the code, as `NotFoundError`.
 */
export interface DefineError<Base extends ServiceLinkError> {
  <Code extends Base['code']>(code: Code): ErrorClass<Code, [message: string], object, Base>
  <Code extends Base['code']>(
    code: Code,
    sentence: string,
  ): ErrorClass<Code, [message?: string], object, Base>
  <Code extends Base['code'], Given extends readonly unknown[], Facts extends { readonly message: string }>(
    code: Code,
    tell: (...args: Given) => Facts,
    name?: string,
  ): ErrorClass<Code, Given, Facts, Base>
}

function make(
  code: string,
  told: string | ((...args: readonly never[]) => { readonly message: string }) = '',
  name?: string,
  base: abstract new (message: string) => ServiceLinkError = ServiceLinkError,
) {
  const anchor = code.toLowerCase()
  const tell = typeof told === 'function' ? told : (message = told) => ({ message })
  return class extends base {
    static readonly code = code
    readonly code = code

    constructor(...args: readonly never[]) {
      const { message, ...facts } = tell(...args)
      super(message)
      Object.assign(this, facts)
    }

    override get docsUrl(): string | undefined {
      return errorIndex + anchor
    }

    override get name(): string {
      return name ?? `${anchor.slice(3).replace(/_(.)/g, (_, one) => one.toUpperCase())}Error`
    }
  }
}

/**
 * Makes the class of a code of this project, whose entry in the error index its doc comment becomes. A program with codes of its
 * own extends {@link ServiceLinkError} instead: its errors then have no `docsUrl`.
 *
 * @example
 * ```ts
 * import { defineError } from '@service-link/protocol-core/errors'
 *
 * class WindowCountError extends defineError('ERR_WINDOW_COUNT', (count: number) => ({
 *   message: `There are ${count} windows. Close all but one.`,
 *   count,
 * })) {}
 *
 * const error = new WindowCountError(2)
 * console.log(error.code, error.count)
 * ```
 */
export const defineError = make as DefineError<ServiceLinkError>

/** Makes a {@link defineError} of errors that extend a base of their own. */
export function defineErrorOf<Base extends ServiceLinkError>(
  base: abstract new (message: string) => Base,
): DefineError<Base> {
  const define: typeof make = (code, told, name) => make(code, told, name, base)
  return define as DefineError<Base>
}
