import type { RateLimiter } from '@service-link/jwt-payload/receiver'
import type { Database } from '../database/tables.ts'

const minuteMs = 60_000

/** A post that is this many minutes older than the newest one says that the clock was set back. */
const latestMinutes = 5

/** The share of a minute's budget that a process takes at once: that of one second. */
const shareOfBudget = 1 / 60

/** The part of a partner's budget that a process has. */
interface Share {
  readonly minute: number
  /** Posts that are left. */
  left: number
  /** The whole service has nothing left for this minute. */
  isSpent: boolean
}

/**
 * Counts a partner's posts by minutes of the clock, in the database, for all processes on it together. A process takes a
 * sixtieth of the budget in one atomic statement and spends it without asking again, so that most posts cost no statement
 * and all processes together never let more through than the budget.
 */
export function databaseRateLimiter(database: Database): RateLimiter {
  const shares = new Map<string, Share>()
  const refills = new Map<string, Promise<void>>()

  const refill = async (partnerId: string, share: Share, maxPerMinute: number): Promise<void> => {
    const wanted = Math.max(1, Math.floor(maxPerMinute * shareOfBudget))
    const granted = await takeShare(database, partnerId, share.minute, wanted, maxPerMinute)
    share.left += granted
    share.isSpent = granted === 0
  }

  const shareOf = (partnerId: string, minute: number): Share => {
    const present = shares.get(partnerId)
    if (present && minute <= present.minute && minute > present.minute - latestMinutes) return present
    const next = { minute, left: 0, isSpent: false }
    shares.set(partnerId, next)
    return next
  }

  return {
    async take(partnerId, maxPerMinute, now) {
      const share = shareOf(partnerId, minuteOf(now))
      while (share.left === 0 && !share.isSpent) {
        const key = `${share.minute} ${partnerId}`
        const running =
          refills.get(key) ?? refill(partnerId, share, maxPerMinute).finally(() => refills.delete(key))
        refills.set(key, running)
        await running
      }
      if (share.left === 0) {
        const retryAfterSeconds = Math.ceil(((share.minute + 1) * minuteMs - now.getTime()) / 1000)
        return { isAllowed: false, retryAfterSeconds }
      }
      share.left--
      return { isAllowed: true }
    },
    // To the process's own share: it stays within the budget, and costs no statement.
    async giveBack(partnerId, now) {
      const share = shares.get(partnerId)
      if (share?.minute === minuteOf(now)) share.left++
    },
  }
}

function minuteOf(date: Date): number {
  return Math.floor(date.getTime() / minuteMs)
}

/** @returns how many of the wanted posts the partner still had in this minute */
async function takeShare(
  database: Database,
  partnerId: string,
  minute: number,
  wanted: number,
  maxPerMinute: number,
): Promise<number> {
  const row = await database
    .insertInto('partner_posts')
    .values({ partner_id: partnerId, minute, count: wanted })
    .onConflict(conflict =>
      conflict
        .columns(['partner_id', 'minute'])
        .doUpdateSet(({ ref, eb }) => ({ count: eb(ref('partner_posts.count'), '+', wanted) }))
        .where('partner_posts.count', '<', maxPerMinute),
    )
    .returning('count')
    .executeTakeFirst()
  return row ? wanted - Math.max(0, row.count - maxPerMinute) : 0
}
