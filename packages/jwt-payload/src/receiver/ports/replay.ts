/** What makes a token usable once. */
export interface ReplayClaim {
  /** At most 512 characters; holds the partner's id and the token's `jti` or digest. */
  readonly key: string
  /** From then on the token is refused for its age, so the key may be forgotten. 9999-12-31 for one that never is. */
  readonly expiresAt: Date
  /** The request that posts it, a UUID. */
  readonly requestId: string
}

/**
 * What became of a key: taken now; taken by this very request before, whose transaction therefore took effect, though
 * nobody heard of it; or used by another request.
 */
export type ReplayResult = 'taken' | 'again' | 'used'

/** Remembers which tokens were used. */
export interface ReplayGuard {
  /**
   * Takes a key, atomically: of any number of requests at once with one key exactly one gets `taken`. Asking once more that
   * one gets `again`, so that a transaction of which nobody knows whether it was committed can be run again.
   * In SQL: `insert … on conflict do nothing`; only when no row was inserted, the row's request is looked at.
   */
  consume(claim: ReplayClaim): Promise<ReplayResult>
}
