import type { Database } from '../database/tables.ts'
import type { Auth } from './create-auth.ts'

/** A session in a partner's frame. */
export interface FrameSession {
  readonly userId: string
  readonly partnerId: string
}

/**
 * Whether what a session in a frame rests on still stands: the partner may show the service in frames, and the account is
 * linked to an employee of it. Either may end long before the session.
 */
export async function isFrameGranted(
  auth: Pick<Auth, 'frameOriginsOf'>,
  database: Database,
  { userId, partnerId }: FrameSession,
): Promise<boolean> {
  if (auth.frameOriginsOf(partnerId).length === 0) return false
  const link = await database
    .selectFrom('partner_employees')
    .select('account_id')
    .where('account_id', '=', userId)
    .where('partner_id', '=', partnerId)
    .limit(1)
    .executeTakeFirst()
  return link !== undefined
}
