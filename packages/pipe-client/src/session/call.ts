import type { SessionCallName } from '@service-link/protocol-core'

/** What a wrapper answers in the turn in which it reads it, and never counts as in flight. */
const answeredAtOnce: ReadonlySet<SessionCallName> = new Set([
  'hello',
  'status',
  'subscribe',
  'cancel',
  'version',
  'close',
])

/** Whether a call counts as in flight until it is answered. */
export function isCommand(name: SessionCallName): boolean {
  return !answeredAtOnce.has(name)
}

/** One call, from the method to the reply. */
export interface Call {
  readonly id: number
  readonly name: SessionCallName
  /** See {@link isCommand}. */
  readonly isCommand: boolean
  readonly frame: Uint8Array
  readonly timeoutMs: number
  /** A time of `performance.now()`. */
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
  readonly resolve: (result: unknown) => void
  readonly reject: (reason: unknown) => void
  abort: (() => void) | undefined
  /** Its caller does not wait any more; the wrapper may still be at it. */
  isGivenUp: boolean
}
