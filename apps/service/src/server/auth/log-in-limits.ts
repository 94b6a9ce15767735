import { createHash, randomUUID } from 'node:crypto'
import type { BetterAuthOptions } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import * as z from 'zod'
import type { Database } from '../database/tables.ts'

type RateLimitStorage = NonNullable<NonNullable<BetterAuthOptions['rateLimit']>['customStorage']>

interface LogInCounts extends RateLimitStorage {
  readonly consume: NonNullable<RateLimitStorage['consume']>
  readonly giveBack: (key: string) => Promise<void>
}

/** The log-in library's counts, in the database for all processes of a service. */
export function logInCounts(database: Database, clock: () => number = Date.now): LogInCounts {
  return {
    // The library uses `consume` instead of these two.
    get: async () => undefined,
    set: async () => undefined,
    async consume(key, { window, max }) {
      const now = clock()
      const { count, endsAt } = await countRate(database, key, { windowMs: window * 1000, now })
      if (count <= max) return { allowed: true, retryAfter: null }
      return { allowed: false, retryAfter: Math.max(1, Math.ceil((endsAt - now) / 1000)) }
    },
    giveBack: key => uncountRate(database, key),
  }
}

/** Wrong passwords of one account in a quarter of an hour, for all unknown browsers together and for each known one. */
const rule = { window: 15 * 60, max: 10 }

/** How long a browser stays known without a log-in, in seconds: half a year. */
const knownSeconds = 180 * 24 * 60 * 60

/** Most accounts that one browser's cookie names; the oldest goes first. */
const maxKnownAccounts = 20

const bodySchema = z.object({ email: z.string() })

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/**
 * Limits the wrong passwords of an account, besides those of an address. A stranger cannot lock the owner out: a
 * signed cookie marks the browsers in which the account has logged in, and each is counted separately. Accounts that
 * do not exist are counted too, so that the answer does not reveal them.
 */
export function limitWrongPasswords(counts: LogInCounts) {
  return {
    id: 'limit-wrong-passwords',
    hooks: {
      before: [
        {
          matcher: isLogIn,
          handler: createAuthMiddleware(async context => {
            const { key } = await readAttempt(context)
            // Counted before the password is checked, so that parallel attempts are limited too.
            const { allowed, retryAfter } = await counts.consume(key, rule)
            if (!allowed)
              throw new APIError(
                'TOO_MANY_REQUESTS',
                { code: 'TOO_MANY_WRONG_PASSWORDS', message: 'Too many wrong passwords of this account.' },
                { 'retry-after': String(retryAfter) },
              )
          }),
        },
      ],
      after: [
        {
          matcher: isLogIn,
          handler: createAuthMiddleware(async context => {
            if (!context.context.newSession) return
            const { key, account, browser, known } = await readAttempt(context)
            await counts.giveBack(key)
            const { name, attributes } = knownCookie(context)
            const accounts = [account, ...known.filter(other => other !== account)].slice(0, maxKnownAccounts)
            const value = [browser, ...accounts].join('.')
            await context.setSignedCookie(name, value, context.context.secret, attributes)
          }),
        },
      ],
    },
  }
}

function isLogIn({ path }: { readonly path?: string }): boolean {
  return path === '/sign-in/email'
}

async function readAttempt(context: Context) {
  // The library refuses a request without an e-mail; all of them count as one account.
  const { data } = bodySchema.safeParse(context.body)
  const email = data?.email.toLowerCase() ?? ''
  const cookie = await context.getSignedCookie(knownCookie(context).name, context.context.secret)
  const [browser = '', ...known] = (cookie || randomUUID()).split('.')
  const account = createHash('sha256').update(`${browser} ${email}`).digest('base64url')
  const key = known.includes(account) ? `account:${email}:${browser}` : `account:${email}`
  return { key, account, browser, known }
}

function knownCookie(context: Context) {
  return context.context.createAuthCookie('known', { maxAge: knownSeconds })
}

interface CountOptions {
  /** How long counts of a key last, from the first one. */
  readonly windowMs: number
  readonly now: number
  /** Default 1. */
  readonly add?: number
}

/** Counts by a key in the database, for all processes on it, in one atomic statement. */
export async function countRate(database: Database, key: string, { windowMs, now, add = 1 }: CountOptions) {
  const endsAt = now + windowMs
  const { count, ends_at } = await database
    .insertInto('rate_counts')
    .values({ key_digest: digestOf(key), count: add, ends_at: endsAt })
    .onConflict(conflict =>
      conflict.column('key_digest').doUpdateSet(({ eb, ref }) => {
        const isOver = eb('rate_counts.ends_at', '<=', now)
        const next = eb('rate_counts.count', '+', add)
        return {
          count: eb.case().when(isOver).then(add).else(next).end(),
          ends_at: eb.case().when(isOver).then(endsAt).else(ref('rate_counts.ends_at')).end(),
        }
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow()
  return { count, endsAt: ends_at }
}

/** Takes one count back. */
async function uncountRate(database: Database, key: string): Promise<void> {
  await database
    .updateTable('rate_counts')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('key_digest', '=', digestOf(key))
    .where('count', '>', 0)
    .execute()
}

/** A key has any length and may contain an address. Its digest fits an index and stores no address. */
function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
