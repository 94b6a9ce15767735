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
   * @param now when the post came; not monotonic, because posts overtake each other: one of a minute that is over counts in
   * the newest one
   */
  take(partnerId: string, maxPerMinute: number, now: Date): Promise<RateDecision>
  /**
   * Takes the count of a post back that turned out to be replayed: who has caught a used token must not spend the partner's
   * budget with it. Once that post's minute is over there is nothing to take back. What fails here changes no answer.
   *
   * @param now as `take` was told
   */
  giveBack(partnerId: string, now: Date): Promise<void>
}
