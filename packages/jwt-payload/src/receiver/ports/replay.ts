/** What makes a token usable once. */
export interface ReplayClaim {
  /** At most 512 characters; holds the partner's id and the token's `jti` or digest. */
  readonly key: string
  /** From then on the token is refused for its age, so the key may be forgotten. 9999-12-31 for one that never is. */
  readonly expiresAt: Date
  /** The request that posts it, a UUID. */
  readonly requestId: string
}

/** Remembers which tokens were used. */
export interface ReplayGuard {
  /**
   * Takes a key, atomically: of any number of requests at once with one key exactly one gets `true`. That one gets it again
   * each time it asks, so that a transaction of which nobody knows whether it was committed can be run again.
   * In SQL: `insert … on conflict do nothing`; when no row was inserted, `true` if the row's request is the same.
   *
   * @returns `false` when another request took the key before
   */
  consume(claim: ReplayClaim): Promise<boolean>
}
