import type { Database } from '../database/tables.ts'
import type { Auth } from './create-auth.ts'
import type { Employee } from './employee.ts'
import { isFramed } from './framed-request.ts'

/** Who is signed in. */
export interface EmployeeSession {
  readonly employee: Employee | undefined
  /** Cookies that the log-in library wants renewed. */
  readonly cookies: readonly string[]
}

/** Finds out who is signed in: in a frame by the frame's session, else by that of the browser's windows. */
export async function readEmployee(
  auth: Auth,
  database: Database,
  headers: Headers,
): Promise<EmployeeSession> {
  const { user, linkId, cookies } = await (isFramed(headers)
    ? readFrameUser(auth, headers)
    : readWindowUser(auth, headers))
  if (!user) return { employee: undefined, cookies }
  const organization = await database
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', user.organizationId)
    .executeTakeFirstOrThrow()
  return {
    employee: {
      accountId: user.id,
      name: user.name,
      email: user.email,
      organizationId: user.organizationId,
      organizationName: organization.name,
      ...(linkId == null ? {} : { linkId }),
    },
    cookies,
  }
}

async function readWindowUser(auth: Auth, headers: Headers) {
  const { response, headers: answer } = await auth.api.getSession({ headers, returnHeaders: true })
  return { user: response?.user, linkId: response?.session.linkId, cookies: answer?.getSetCookie() ?? [] }
}

async function readFrameUser(auth: Auth, headers: Headers) {
  const { response, headers: answer } = await auth.framed.api.getSession({ headers, returnHeaders: true })
  // The partner may have lost its frames, or have been locked out, long before the session ends.
  if (response && auth.frameOriginsOf(response.session.partnerId).length === 0)
    return { user: undefined, linkId: undefined, cookies: [] }
  return { user: response?.user, linkId: response?.session.linkId, cookies: answer?.getSetCookie() ?? [] }
}
