import type { BetterAuthOptions } from 'better-auth'

/** Where the log-in library counts requests by address and path. */
type RateLimitStorage = NonNullable<NonNullable<BetterAuthOptions['rateLimit']>['customStorage']>

/**
 * Counts in memory, for one service: the library's own memory is one for the whole process, where each service would
 * refuse log-ins for those of another.
 *
 * @param now milliseconds since any fixed moment
 */
export function logInCounts(now: () => number = () => performance.now()): RateLimitStorage {
  const counts = new Map<string, { readonly count: number; readonly endsAt: number }>()
  return {
    // The library asks these two only where there is no `consume`.
    get: async () => undefined,
    set: async () => undefined,
    async consume(key, { window, max }) {
      for (const [known, { endsAt }] of counts) if (endsAt <= now()) counts.delete(known)
      const { count, endsAt } = counts.get(key) ?? { count: 0, endsAt: 0 }
      if (count >= max) return { allowed: false, retryAfter: Math.ceil((endsAt - now()) / 1000) }
      counts.set(key, { count: count + 1, endsAt: now() + window * 1000 })
      return { allowed: true, retryAfter: null }
    },
  }
}
