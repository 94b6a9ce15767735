import { assertParameter } from '@service-link/protocol-core/errors'
import { milliseconds } from '@service-link/protocol-core/time'
import { wrongAnswer } from './receiver-errors.ts'

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
   * Counts one post. Only acceptable payloads count, before they take effect: forged or expired tokens cannot spend a
   * partner's budget.
   *
   * @param maxPerMinute the partner's `maxPostsPerMinute`
   * @param now when the post came. Posts overtake each other: one of an earlier minute counts in the newest one
   */
  take(partnerId: string, maxPerMinute: number, now: Date): Promise<RateDecision>
  /**
   * Takes the count of a replayed post back: a stolen token must not spend the partner's budget. It changes nothing after
   * that minute. A failure changes no answer.
   *
   * @param now as it was given to `take`
   */
  giveBack(partnerId: string, now: Date): Promise<void>
}

/** A process's wish for a part of a partner's budget of one minute. */
export interface ShareRequest {
  readonly partnerId: string
  /** Minutes since 1970. */
  readonly minute: number
  /** The budget of one second, in posts. */
  readonly wanted: number
  readonly maxPerMinute: number
}

/** If a post is this many windows older than the newest one, the clock was set back. */
const latestWindows = 5

/** The part of a budget that this process has. */
interface Share {
  readonly window: number
  left: number
  /** Nothing is left of this window's budget in any process. */
  isSpent: boolean
}

/** Options of {@link createRateLimiter}. */
export interface RateLimiterOptions {
  /** How long a budget lasts, in milliseconds of the clock: `maxPerMinute` is then the number of this time. Default: a minute. */
  readonly windowMs?: number | undefined
  /** Most partners, or other keys, that are remembered; the one that came the longest ago is forgotten. Default: any number. */
  readonly maxKeys?: number | undefined
}

/**
 * Makes a limiter that counts posts by minutes of the clock.
 *
 * @param takeShare takes a part of the budget for this process, in one atomic statement of a database that all processes share,
 * and returns the number of posts that it got. The process spends the part without asking again, so most posts cost no
 * statement. Default: this process has the whole budget
 * @throws {ParameterError} if an option is of another type or not known
 */
export function createRateLimiter(
  takeShare?: (request: ShareRequest) => Promise<number>,
  options: RateLimiterOptions = {},
): RateLimiter {
  assertParameter('takeShare', takeShare, 'function?')
  assertParameter('options', options, 'closed', {
    windowMs: milliseconds,
    maxKeys: { what: 'a whole number of keys', isWhole: true },
  })
  const { windowMs = 60_000, maxKeys = Number.POSITIVE_INFINITY } = options
  const shares = new Map<string, Share>()
  const refills = new Map<string, Promise<void>>()
  const windowOf = (date: Date) => Math.floor(date.getTime() / windowMs)

  const shareOf = (key: string, max: number, window: number): Share => {
    const present = shares.get(key)
    const isPresent = present && window <= present.window && window > present.window - latestWindows
    const share = isPresent ? present : { window, left: takeShare ? 0 : max, isSpent: !takeShare }
    // Moved to the end: the first of the map came the longest ago.
    shares.delete(key)
    shares.set(key, share)
    if (shares.size > maxKeys) shares.delete(shares.keys().next().value ?? '')
    return share
  }

  const refill = async (partnerId: string, share: Share, maxPerMinute: number): Promise<void> => {
    const wanted = Math.max(1, Math.floor(maxPerMinute / 60))
    const granted = takeShare ? await takeShare({ partnerId, minute: share.window, wanted, maxPerMinute }) : 0
    if (!Number.isInteger(granted)) throw wrongAnswer('takeShare', 'a whole number of posts')
    share.left += granted
    share.isSpent = !granted
  }

  return {
    async take(partnerId, maxPerMinute, now) {
      const share = shareOf(partnerId, maxPerMinute, windowOf(now))
      while (share.left === 0 && !share.isSpent) {
        const key = `${share.window} ${partnerId}`
        const running =
          refills.get(key) ?? refill(partnerId, share, maxPerMinute).finally(() => refills.delete(key))
        refills.set(key, running)
        await running
      }
      if (share.left === 0) {
        const retryAfterSeconds = Math.ceil(((share.window + 1) * windowMs - now.getTime()) / 1000)
        return { isAllowed: false, retryAfterSeconds }
      }
      share.left--
      return { isAllowed: true }
    },
    async giveBack(partnerId, now) {
      const share = shares.get(partnerId)
      if (share?.window === windowOf(now)) share.left++
    },
  }
}
