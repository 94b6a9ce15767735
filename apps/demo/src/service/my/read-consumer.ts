import type { Database } from '../database/tables.ts'
import { type ConsumerAuth, consumerSessionSeconds } from './consumer-auth.ts'

/** Longest session, however busy, in milliseconds: half a day of a person at home. */
const maxSessionMs = 8 * 60 * 60 * 1000

/** Who is logged in to the consumer app. */
export interface Consumer {
  /** Of this log-in; another one of the same person has another. */
  readonly logInId: string
  /** National identity number, in the form in which two are compared. Never leaves the service. */
  readonly identityNumber: string
  /** As the electronic ID tells it; may be empty. */
  readonly name: string
  /** When the session ends unless it is used, in milliseconds since 1970. */
  readonly endsAtMs: number
}

/** Options of {@link readConsumer}. */
export interface ReadConsumerOptions {
  /** Whether this counts as use of the session. */
  readonly isUse: boolean
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly now?: () => number
}

/** The answer of {@link readConsumer}. */
export interface ReadConsumer {
  readonly consumer: Consumer | undefined
  /** Cookies that the log-in library wants renewed. */
  readonly cookies: readonly string[]
}

/** Finds out which consumer is logged in. */
export async function readConsumer(
  auth: ConsumerAuth,
  headers: Headers,
  { isUse, now = Date.now }: ReadConsumerOptions,
): Promise<ReadConsumer> {
  const { response, headers: answer } = await auth.api.getSession({
    headers,
    query: { disableRefresh: !isUse },
    returnHeaders: true,
  })
  if (!response) return { consumer: undefined, cookies: [] }
  const { user, session } = response
  const lastMs = user.createdAt.getTime() + maxSessionMs
  if (lastMs <= now()) return { consumer: undefined, cookies: [] }
  const { id: logInId, identityNumber, name } = user
  const endsAtMs = Math.min(session.expiresAt.getTime(), lastMs)
  return { consumer: { logInId, identityNumber, name, endsAtMs }, cookies: answer?.getSetCookie() ?? [] }
}

/**
 * Deletes what is left of log-ins that are over without a sign-out: the person's identity number and name.
 *
 * @param now milliseconds since 1970
 */
export async function deleteEndedConsumers(database: Database, now: number): Promise<void> {
  const iso = (time: number) => new Date(time).toISOString()
  await database
    .deleteFrom('consumer_users')
    .where('createdAt', '<=', iso(now - consumerSessionSeconds * 1000))
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('createdAt', '<=', iso(now - maxSessionMs)),
        not(
          exists(
            selectFrom('consumer_sessions')
              .select('consumer_sessions.userId')
              .whereRef('consumer_sessions.userId', '=', 'consumer_users.id')
              .where('consumer_sessions.expiresAt', '>', iso(now)),
          ),
        ),
      ]),
    )
    .execute()
}
