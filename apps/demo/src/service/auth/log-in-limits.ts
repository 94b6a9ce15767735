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

/** Counts in the database, for all processes of a service. Each request is one atomic statement. */
export function logInCounts(database: Database, now: () => number = Date.now): LogInCounts {
  return {
    // The library uses `consume` instead of these two.
    get: async () => undefined,
    set: async () => undefined,
    async consume(key, { window, max }) {
      const at = now()
      const endsAt = at + window * 1000
      const counted = await database
        .insertInto('log_in_counts')
        .values({ key_digest: digestOf(key), count: 1, ends_at: endsAt })
        .onConflict(conflict =>
          conflict.column('key_digest').doUpdateSet(({ eb, ref }) => {
            const isOver = eb('log_in_counts.ends_at', '<=', at)
            const next = eb('log_in_counts.count', '+', 1)
            return {
              count: eb.case().when(isOver).then(1).else(next).end(),
              ends_at: eb.case().when(isOver).then(endsAt).else(ref('log_in_counts.ends_at')).end(),
            }
          }),
        )
        .returning(['count', 'ends_at'])
        .executeTakeFirstOrThrow()
      if (counted.count <= max) return { allowed: true, retryAfter: null }
      return { allowed: false, retryAfter: Math.max(1, Math.ceil((counted.ends_at - at) / 1000)) }
    },
    async giveBack(key) {
      await database
        .updateTable('log_in_counts')
        .set(({ eb }) => ({ count: eb('count', '-', 1) }))
        .where('key_digest', '=', digestOf(key))
        .where('count', '>', 0)
        .execute()
    },
  }
}

/** A key has any length and contains an address. Its digest fits an index and stores no address. */
function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
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
