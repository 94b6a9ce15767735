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
   * Counts one post. Only acceptable payloads are counted, before they take effect: nobody else can spend a partner's budget,
   * not even with expired tokens of the partner.
   *
   * @param maxPerMinute the partner's `maxPostsPerMinute`
   * @param now when the post came. Posts overtake each other: one of an earlier minute counts in the newest one
   */
  take(partnerId: string, maxPerMinute: number, now: Date): Promise<RateDecision>
  /**
   * Takes the count of a replayed post back: a caught token must not spend the partner's budget. After that minute it changes
   * nothing. A failure changes no answer.
   *
   * @param now as it was given to `take`
   */
  giveBack(partnerId: string, now: Date): Promise<void>
}

const minuteMs = 60_000

/** A post that is this many minutes older than the newest one says that the clock was set back. */
const latestMinutes = 5

/** Counts posts by minutes of the clock, in memory, for one process. Keeps one number a partner. */
export function createMemoryRateLimiter(): RateLimiter {
  const counts = new Map<string, { readonly minute: number; posts: number }>()
  const countOf = (partnerId: string, minute: number) => {
    const present = counts.get(partnerId)
    if (present && minute <= present.minute && minute > present.minute - latestMinutes) return present
    const next = { minute, posts: 0 }
    counts.set(partnerId, next)
    return next
  }
  return {
    take: async (partnerId, maxPerMinute, now) => {
      const count = countOf(partnerId, minuteOf(now))
      if (count.posts >= maxPerMinute)
        return {
          isAllowed: false,
          retryAfterSeconds: Math.ceil(((count.minute + 1) * minuteMs - now.getTime()) / 1000),
        }
      count.posts++
      return { isAllowed: true }
    },
    giveBack: async (partnerId, now) => {
      const count = counts.get(partnerId)
      if (count?.minute === minuteOf(now) && count.posts > 0) count.posts--
    },
  }
}

function minuteOf(date: Date): number {
  return Math.floor(date.getTime() / minuteMs)
}
