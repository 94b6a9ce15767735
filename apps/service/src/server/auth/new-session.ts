import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { getIp } from '@better-auth/core/utils/ip'
import type { SessionContext } from '@service-link/receiver'
import { serialize } from 'hono/utils/cookie'
import type { Tables } from '../database/tables.ts'
import type { Auth } from './create-auth.ts'

/** A session of the log-in library that the caller writes. */
export interface NewSession {
  readonly table: 'auth_sessions' | 'frame_sessions'
  readonly row: Tables['auth_sessions']
  readonly setCookies: readonly string[]
}

/**
 * Makes sessions for employees whom the partner link has identified. The row is written with the other effects of a post,
 * and the log-in library reads it. Making row and cookie by the library takes an eighth of a post's time.
 */
export function newSessions(auth: Auth) {
  return async (
    accountId: string,
    { headers }: Request,
    { isFramed, linkId, partnerId }: SessionContext,
  ): Promise<NewSession> => {
    const { options, $context } = isFramed ? auth.framed : auth
    const { authCookies, secret, sessionConfig } = await $context
    const { name, attributes } = authCookies.sessionToken
    const token = randomBytes(24).toString('base64url')
    const now = new Date()
    const row = {
      id: randomUUID(),
      token,
      userId: accountId,
      linkId,
      partnerId,
      ipAddress: getIp(headers, options) ?? '',
      userAgent: headers.get('user-agent') ?? '',
      expiresAt: new Date(now.getTime() + sessionConfig.expiresIn * 1000),
      createdAt: now,
      updatedAt: now,
    }
    const signature = createHmac('sha256', secret).update(token).digest('base64')
    const cookie = { ...attributes, maxAge: sessionConfig.expiresIn }
    const setCookies = [serialize(name, `${token}.${signature}`, cookie)]
    return { table: isFramed ? 'frame_sessions' : 'auth_sessions', row, setCookies }
  }
}
