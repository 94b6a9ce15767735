/** What makes a token usable once. */
export interface ReplayClaim {
  /** At most 512 characters; holds the partner's id and the token's `jti` or digest. */
  readonly key: string
  /** From then on the token is refused for its age, so the key may be forgotten. 9999-12-31 for a token without `exp`. */
  readonly expiresAt: Date
}

/** Remembers which tokens were used. */
export interface ReplayGuard {
  /**
   * Takes a key, atomically: of any number of calls at once with one key exactly one gets `true`.
   * In SQL: `insert … on conflict do nothing`, `true` when a row was inserted.
   *
   * @param expiresAt from then on the key may be forgotten
   * @returns `false` when the key was taken before
   */
  consume(key: string, expiresAt: Date): Promise<boolean>
}
