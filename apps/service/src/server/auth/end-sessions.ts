import type { SelectQueryBuilder } from 'kysely'
import type { OpenDatabase } from '../database/open-database.ts'
import { runTransaction } from '../database/run-transaction.ts'
import type { Database, Tables } from '../database/tables.ts'
import { StartError } from '../operations/start-error.ts'
import { findOrganization } from './organizations.ts'

/** How far apart the clocks of two processes of the service may be, in milliseconds. */
const clockToleranceMs = 5 * 60 * 1000

/**
 * Whether a session is over, whatever its expiry says: it is as old as a session may become, or it began in the future, so
 * that the clock of its beginning was wrong.
 */
export function isOver(createdAt: Date, longestMs: number, now = Date.now()): boolean {
  const ageMs = now - createdAt.getTime()
  return ageMs >= longestMs || ageMs < -clockToleranceMs
}

type Ids = readonly string[] | SelectQueryBuilder<Tables, keyof Tables, { id: string }>

/** Ends the employees' sessions of links, partners or accounts, in windows and in frames. Returns how many there were. */
export async function endSessions(
  database: Database,
  by: 'linkId' | 'partnerId' | 'userId',
  ids: Ids,
): Promise<number> {
  let count = 0n
  for (const table of ['auth_sessions', 'frame_sessions'] as const) {
    const { numDeletedRows } = await database.deleteFrom(table).where(by, 'in', ids).executeTakeFirst()
    count += numDeletedRows
  }
  return Number(count)
}

/** Ends all that came from partners and could still be used: sessions, one-time URLs, and payloads that wait for a log-in. */
export async function endPartners(database: Database, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  await database.deleteFrom('held_deliveries').where('partner_id', 'in', ids).execute()
  return endSessions(database, 'partnerId', ids)
}

export const endSessionsUsage =
  'end-sessions partner <id> | organization <name or number> | account <e-mail address>'

/** Ends sessions while the service runs, for the operator. Returns a sentence that says how many. */
export async function endSessionsOf({ database }: OpenDatabase, args: readonly string[]): Promise<string> {
  const [kind = '', name = '', ...more] = args
  const end = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (!end || name === '' || more.length > 0) throw new StartError(`Usage: ${endSessionsUsage}`)
  return runTransaction(database, async transaction => {
    const { count, ...named } = await end(transaction, name)
    await transaction
      .insertInto('audit_entries')
      .values({
        at: new Date().toISOString(),
        request_id: crypto.randomUUID(),
        event: 'end-sessions',
        outcome: 'ended',
        partner_id: '',
        ...named,
      })
      .execute()
    return `Ended ${count} ${count === 1 ? 'session' : 'sessions'}.`
  })
}

/** Ends one-time URLs, which open a session without a log-in. They do not tell whose they are, so all of this minute end. */
async function endOneTimeUrls(transaction: Database): Promise<void> {
  await transaction.deleteFrom('held_deliveries').where('purpose', '=', 'open').execute()
}

interface Ended
  extends Partial<Pick<Tables['audit_entries'], 'partner_id' | 'organization_id' | 'account_id'>> {
  readonly count: number
}

const kinds: Readonly<Record<string, (transaction: Database, name: string) => Promise<Ended>>> = {
  async partner(transaction, id) {
    const count = await endPartners(transaction, [id])
    const isRegistered = await transaction.selectFrom('partners').where('id', '=', id).select('id').execute()
    if (count === 0 && isRegistered.length === 0)
      throw new StartError('No partner of that id is registered, and none has sessions.')
    return { count, partner_id: id }
  },
  async organization(transaction, name) {
    const { id } = await findOrganization(transaction, name)
    await endOneTimeUrls(transaction)
    const accounts = transaction.selectFrom('auth_users').where('organizationId', '=', id).select('id')
    return { count: await endSessions(transaction, 'userId', accounts), organization_id: String(id) }
  },
  async account(transaction, email) {
    const account = await transaction
      .selectFrom('auth_users')
      .where('email', '=', email.toLowerCase())
      .select('id')
      .executeTakeFirst()
    if (!account) throw new StartError('The service has no account of that e-mail address.')
    await endOneTimeUrls(transaction)
    return { count: await endSessions(transaction, 'userId', [account.id]), account_id: account.id }
  },
}
