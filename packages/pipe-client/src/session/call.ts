import type { SessionCallName } from '@service-link/protocol-core'

/** One call, from the method to the reply. */
export interface Call {
  readonly id: number
  readonly name: SessionCallName
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
