import type { RateLimiter } from '../ports/rate-limit.ts'

const minuteMs = 60_000

/** Counts posts by minutes of the clock, in memory, for one process. Keeps one number a partner. */
export function createMemoryRateLimiter(): RateLimiter {
  const counts = new Map<string, { readonly minute: number; posts: number }>()
  return {
    take: async (partnerId, maxPerMinute, now) => {
      const minute = Math.floor(now.getTime() / minuteMs)
      let count = counts.get(partnerId)
      if (count?.minute !== minute) {
        count = { minute, posts: 0 }
        counts.set(partnerId, count)
      }
      if (count.posts >= maxPerMinute)
        return {
          isAllowed: false,
          retryAfterSeconds: Math.ceil(((minute + 1) * minuteMs - now.getTime()) / 1000),
        }
      count.posts++
      return { isAllowed: true }
    },
  }
}
