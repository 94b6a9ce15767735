import { createHmac } from 'node:crypto'
import { runWithAdapter } from '@better-auth/core/context'
import { getIp } from '@better-auth/core/utils/ip'
import type { SessionContext } from '@service-link/jwt-payload/receiver'
import { createAdapterFactory } from 'better-auth/adapters'
import { serialize } from 'hono/utils/cookie'
import type { Tables } from '../database/tables.ts'
import type { Auth } from './create-auth.ts'

/** A session that the log-in library has made and that the caller writes. */
export type NewSession = { readonly setCookies: readonly string[] } & (
  | { readonly table: 'auth_sessions'; readonly row: Tables['auth_sessions'] }
  | { readonly table: 'frame_sessions'; readonly row: Tables['frame_sessions'] }
)

const notUsed = () => Promise.reject(new TypeError('Only sessions are made here.'))

/** The library's port to a database: gives back each row that the library makes, and writes none. */
const unwritten = createAdapterFactory({
  config: { adapterId: 'unwritten', disableTransformOutput: true },
  adapter: () => ({
    create: async ({ data }) => data,
    update: notUsed,
    updateMany: notUsed,
    findOne: notUsed,
    findMany: notUsed,
    delete: notUsed,
    deleteMany: notUsed,
    count: notUsed,
  }),
})

/**
 * Makes sessions for employees whom the partner link has identified. Row, times and cookie are the library's; the row is
 * written with the other effects of a post.
 */
export function newSessions(auth: Auth) {
  const window = { options: auth.options, ready: auth.$context, adapter: unwritten(auth.options) }
  const { framed } = auth
  const frame = { options: framed.options, ready: framed.$context, adapter: unwritten(framed.options) }
  return async (
    accountId: string,
    { headers }: Request,
    { isFramed, linkId, partnerId }: SessionContext,
  ): Promise<NewSession> => {
    const { options, ready, adapter } = isFramed ? frame : window
    const { internalAdapter, authCookies, secret, sessionConfig } = await ready
    const userAgent = headers.get('user-agent') ?? ''
    const client = { ipAddress: getIp(headers, options) ?? '', userAgent }
    const fields = { ...client, linkId, ...(isFramed ? { partnerId } : {}) }
    const made = await runWithAdapter(adapter, () => internalAdapter.createSession(accountId, false, fields))
    const { id, token, userId, expiresAt, createdAt, updatedAt } = made
    const times = { expiresAt, createdAt, updatedAt }
    const row = { id, token, userId, linkId, ...client, ...times }
    const { name, attributes } = authCookies.sessionToken
    // The library signs cookies so; its own way takes a tenth of a post's time.
    const signature = createHmac('sha256', secret).update(token).digest('base64')
    const cookie = serialize(name, `${token}.${signature}`, {
      ...attributes,
      maxAge: sessionConfig.expiresIn,
    })
    const setCookies = [cookie]
    return isFramed
      ? { table: 'frame_sessions', row: { ...row, partnerId }, setCookies }
      : { table: 'auth_sessions', row, setCookies }
  }
}
