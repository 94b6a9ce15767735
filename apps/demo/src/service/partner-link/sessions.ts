import { runWithAdapter } from '@better-auth/core/context'
import type { SessionContext, SessionMaker, Sessions } from '@service-link/jwt-payload/receiver'
import { getAdapter } from 'better-auth/db/adapter'
import type { Auth } from '../auth/create-auth.ts'
import { readEmployee } from '../auth/employee.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import type { Database } from '../database/tables.ts'

/** Makes and ends the log-in library's sessions inside a transaction of the service's own. */
export function sessionMaker(auth: Auth, open: OpenDatabase, transaction: Database): SessionMaker {
  return {
    async create(account, request, context) {
      const database = { db: transaction, type: open.dialectName }
      const { options } = context.isFramed ? auth.framed : auth
      const adapter = await getAdapter({ ...options, database })
      const setCookies = await runWithAdapter(adapter, () => signIn(auth, account.id, request, context))
      return { setCookies: await setCookies }
    },
    endLinked: linkId => endLinked(transaction, linkId),
  }
}

/** Sessions of the service's browsers. */
export function sessionsOf(auth: Auth, { database }: OpenDatabase): Sessions {
  return {
    create: async (account, request, context) => ({
      setCookies: await signIn(auth, account.id, request, context),
    }),
    endLinked: linkId => endLinked(database, linkId),
    async current(request) {
      const { employee } = await readEmployee(auth, database, request.headers)
      return employee && { id: employee.accountId, displayName: employee.name }
    },
  }
}

async function signIn(
  auth: Auth,
  accountId: string,
  { headers }: Request,
  { isFramed, partnerId, linkId }: SessionContext,
): Promise<readonly string[]> {
  const { response, headers: answer } = await (isFramed
    ? auth.framed.api.signInEmployee({ body: { accountId, linkId, partnerId }, headers, returnHeaders: true })
    : auth.api.signInEmployee({ body: { accountId, linkId }, headers, returnHeaders: true }))
  if (!response.isSignedIn) throw new TypeError('The account that an employee is linked to does not exist.')
  return answer.getSetCookie()
}

/** A session that is made meanwhile refers to a link that is gone: its transaction fails at the commit. */
async function endLinked(database: Database, linkId: string): Promise<void> {
  for (const table of ['auth_sessions', 'frame_sessions'] as const)
    await database.deleteFrom(table).where('linkId', '=', linkId).execute()
}
