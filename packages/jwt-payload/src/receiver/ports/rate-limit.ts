/** Whether one more post is let through. */
export type RateDecision =
  | { readonly isAllowed: true }
  | {
      readonly isAllowed: false
      /** Whole seconds, at least 1, after which the next post may be let through. */
      readonly retryAfterSeconds: number
    }

/** Counts the posts of a partner. */
export interface RateLimiter {
  /**
   * Counts one post. Asked for a payload that is acceptable, before it has any effect: nobody else can spend a partner's
   * budget, not even with tokens of the partner's that have expired.
   *
   * @param maxPerMinute the partner's `maxPostsPerMinute`
   */
  take(partnerId: string, maxPerMinute: number, now: Date): Promise<RateDecision>
}
