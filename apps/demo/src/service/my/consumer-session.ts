import { createAuthEndpoint, getSessionFromCtx } from 'better-auth/api'
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'

const signInSchema = z.object({ identityNumber: z.string().min(6).max(32), name: z.string().max(256) })

/**
 * Begins and ends consumers' sessions: server-only endpoints of the log-in library. A consumer has no account here, the
 * electronic ID is the account: each log-in makes a user of its own, who goes with its session.
 */
export function consumerSession() {
  return {
    id: 'consumer-session',
    endpoints: {
      signInConsumer: createAuthEndpoint.serverOnly({ method: 'POST', body: signInSchema }, async context => {
        const { adapter, internalAdapter } = context.context
        const former = await getSessionFromCtx(context)
        if (former) await adapter.delete({ model: 'user', where: [{ field: 'id', value: former.user.id }] })
        const { identityNumber, name } = context.body
        // The library wants a mail address; this one is nobody's and of a domain that can never exist.
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
