import { assertParameter, type ParameterKind } from '@service-link/protocol-core/errors'

/** Bounds of one call, or of a part of it. */
export interface CallBounds {
  /** Longest wait for the whole call, in milliseconds. */
  readonly timeoutMs: number
  /** How much of it is over already, in milliseconds. */
  readonly spentMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Checks the options of a public function before they are used.
 *
 * @param members kinds of those that are not `brand`, `timeoutMs` or `signal`
 * @throws {ParameterError} naming the member that is of another kind
 */
export function assertOptions(options: unknown, members: Readonly<Record<string, ParameterKind>> = {}): void {
  assertParameter('options', options, 'object?', { ...members, timeoutMs: 'anyNumber?' })
  const { brand, signal } = Object(options)
  assertParameter('options.brand', brand, 'object?', {
    vendor: 'text',
    application: 'text',
    pipePrefix: 'text',
    registryKey: 'text',
  })
  assertParameter('options.signal', signal, 'object?', {
    throwIfAborted: 'function',
    addEventListener: 'function',
  })
}
