import { betterAuth } from 'better-auth'
import { createAuthEndpoint, getSessionFromCtx } from 'better-auth/api'
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies'
import * as z from 'zod'
import { type CreateAuthOptions, commonOptions, derivedSecret, hostCookie } from '../auth/create-auth.ts'
import { isOver } from '../auth/end-sessions.ts'
import type { Database } from '../database/tables.ts'

/** How long a consumer's session lasts without use, in seconds. */
export const consumerSessionSeconds = 30 * 60

type CreateConsumerAuthOptions = Omit<CreateAuthOptions, 'partners'>

/**
 * Sessions of the consumer app. They have other tables, another cookie and another key than the employees' sessions.
 * The service's routes call the library; none of its own addresses is reachable.
 */
export function createConsumerAuth({ sessionMs, ...options }: CreateConsumerAuthOptions) {
  return { ...createLibrary(options), longestMs: longestOf(sessionMs) }
}

function createLibrary(options: Omit<CreateConsumerAuthOptions, 'sessionMs'>) {
  return betterAuth({
    ...commonOptions(options),
    basePath: '/api/my',
    secret: derivedSecret(options.secret, 'consumer session'),
    user: {
      modelName: 'consumer_users',
      additionalFields: { identityNumber: { type: 'string', required: true, input: false } },
    },
    session: { modelName: 'consumer_sessions', expiresIn: consumerSessionSeconds, updateAge: 60 },
    advanced: { ...hostCookie('my', { sameSite: 'lax' }), ipAddress: { disableIpTracking: true } },
    rateLimit: { enabled: false },
    plugins: [consumerSession()],
  })
}

export type ConsumerAuth = ReturnType<typeof createConsumerAuth>

const signInSchema = z.object({ identityNumber: z.string().min(6).max(32), name: z.string().max(256) })

/**
 * Begins and ends consumers' sessions, as server-only endpoints of the log-in library. A consumer has no account
 * here: each log-in makes a user, which is deleted with its session.
 */
function consumerSession() {
  return {
    id: 'consumer-session',
    endpoints: {
      signInConsumer: createAuthEndpoint.serverOnly({ method: 'POST', body: signInSchema }, async context => {
        const { adapter, internalAdapter } = context.context
        const former = await getSessionFromCtx(context)
        if (former) await adapter.delete({ model: 'user', where: [{ field: 'id', value: former.user.id }] })
        const { identityNumber, name } = context.body
        // The library requires an e-mail address. This one has a domain that can never exist.
        const email = `${crypto.randomUUID()}@consumer.invalid`
        const user = await internalAdapter.createUser({ identityNumber, name, email, emailVerified: false })
        const session = await internalAdapter.createSession(user.id)
        await setSessionCookie(context, { session, user })
        return context.json({ isSignedIn: true })
      }),
      signOutConsumer: createAuthEndpoint.serverOnly({ method: 'POST' }, async context => {
        const session = await getSessionFromCtx(context)
        const where = [{ field: 'id', value: session?.user.id ?? '' }]
        if (session) await context.context.adapter.delete({ model: 'user', where })
        deleteSessionCookie(context)
        return context.json({ wasSignedIn: session !== null })
      }),
    },
  }
}

/** Longest session of a consumer, in milliseconds: eight hours, and no longer than an employee's. */
const longestOf = (sessionMs: number) => Math.min(sessionMs, 8 * 60 * 60 * 1000)

export interface Consumer {
  /** Id of this log-in; each log-in of a person has another. */
  readonly logInId: string
  /** National identity number as the electronic ID told it, without white space. Never leaves the service. */
  readonly identityNumber: string
  /** Name from the electronic ID; may be empty. */
  readonly name: string
  /** When the session ends unless it is used, in milliseconds since 1970. */
  readonly endsAtMs: number
}

/** Finds the logged-in consumer, and the cookies to renew. `isUse` prolongs the session. */
export async function readConsumer(
  auth: ConsumerAuth,
  headers: Headers,
  isUse: boolean,
): Promise<{ readonly consumer: Consumer | undefined; readonly cookies: readonly string[] }> {
  const { response, headers: answer } = await auth.api.getSession({
    headers,
    query: { disableRefresh: !isUse },
    returnHeaders: true,
  })
  if (!response) return { consumer: undefined, cookies: [] }
  const { user, session } = response
  // The user is the log-in, and its sessions go with it.
  if (isOver(user.createdAt, auth.longestMs)) {
    const { adapter } = await auth.$context
    await adapter.delete({ model: 'user', where: [{ field: 'id', value: user.id }] })
    return { consumer: undefined, cookies: [] }
  }
  const lastMs = user.createdAt.getTime() + auth.longestMs
  const { id: logInId, identityNumber, name } = user
  const endsAtMs = Math.min(session.expiresAt.getTime(), lastMs)
  return { consumer: { logInId, identityNumber, name, endsAtMs }, cookies: answer?.getSetCookie() ?? [] }
}

/** Deletes the identity numbers and names of log-ins that ended without a sign-out. */
export async function deleteEndedConsumers(
  database: Database,
  sessionMs: number,
  now: number,
): Promise<void> {
  const iso = (time: number) => new Date(time).toISOString()
  await database
    .deleteFrom('consumer_users')
    .where('createdAt', '<=', iso(now - consumerSessionSeconds * 1000))
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('createdAt', '<=', iso(now - longestOf(sessionMs))),
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
