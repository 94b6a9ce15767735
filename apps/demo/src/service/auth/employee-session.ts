import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'

/**
 * Lets the service sign an employee in whom the partner link has identified. A server-only endpoint of the log-in
 * library: it has no address, and its sessions and cookies are the library's own.
 */
export function employeeSession() {
  return {
    id: 'employee-session',
    endpoints: {
      signInEmployee: createAuthEndpoint.serverOnly(
        {
          method: 'POST',
          // `linkId`: the link that signs in. `partnerId`: of the session in a frame, the partner whose page it is in.
          body: z.object({
            accountId: z.string(),
            linkId: z.string(),
            partnerId: z.string().exactOptional(),
          }),
        },
        async context => {
          const { accountId, ...fields } = context.body
          const user = await context.context.internalAdapter.findUserById(accountId)
          if (!user) return context.json({ isSignedIn: false })
          const session = await context.context.internalAdapter.createSession(user.id, false, fields)
          await setSessionCookie(context, { session, user })
          return context.json({ isSignedIn: true })
        },
      ),
    },
  }
}
