import type { RateLimiter } from '../ports/rate-limit.ts'

const minuteMs = 60_000

/** No post is on its way for so long: one that is this many minutes older tells that the clock was set back. */
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
