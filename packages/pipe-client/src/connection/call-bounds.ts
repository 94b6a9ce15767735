/** Bounds of one call, or of a part of it. */
export interface CallBounds {
  /** Longest wait for the whole call, in milliseconds. */
  readonly timeoutMs: number
  /** How much of it is over already, in milliseconds. */
  readonly spentMs: number
  readonly signal: AbortSignal | undefined
}
