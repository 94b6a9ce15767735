import {
  type AuditEntry,
  type AuditLog,
  type ContactBook,
  createRateLimiter,
  type Delivery,
  employeeDigestOf,
  type HeldDeliveries,
  type RateLimiter,
  type ReceiverStores,
  type ReplayClaim,
  type ReplayResult,
  type RunInTransaction,
  type SessionMaker,
  type Sessions,
} from '@service-link/receiver'
import type { Auth } from '../auth/create-auth.ts'
import { newSessions } from '../auth/create-auth.ts'
import { readEmployee } from '../auth/employee.ts'
import { endSessions } from '../auth/end-sessions.ts'
import { countRate } from '../auth/log-in-limits.ts'
import { watchDatabase } from '../database/failures.ts'
import type { OpenDatabase } from '../database/open-database.ts'
import { runTransaction } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import { selectOrCreatePerson } from '../persons/select-person.ts'
import { accountLinks } from './account-links.ts'

export function storesOver(transaction: Database): ReceiverStores {
  return {
    replay: { consume: async claim => (await consumeTokens(transaction, [claim]))[0] ?? 'used' },
    accounts: accountLinks(transaction),
    contacts: contactBook(transaction),
    held: heldDeliveries(transaction),
    audit: databaseAuditLog(transaction),
  }
}

/** Runs the receiver's work over the service's database, with the sessions in the same transaction. */
export function receiverTransactions(auth: Auth, open: OpenDatabase): RunInTransaction {
  const makeSession = newSessions(auth)
  return (work, context) =>
    runTransaction(
      open.database,
      transaction => work({ ...storesOver(transaction), sessions: sessionMaker(makeSession, transaction) }),
      context,
    )
}

function heldDeliveries(database: Database): HeldDeliveries {
  return {
    async hold(purpose, { handleDigest, expiresAt }, delivery) {
      await database
        .insertInto('held_deliveries')
        .values({
          handle_digest: handleDigest,
          purpose,
          partner_id: delivery.partner.id,
          employee_digest: await employeeDigestOf(delivery.employee),
          delivery: JSON.stringify(delivery),
          expires_at: expiresAt.getTime(),
        })
        // A conflict comes from the same request: its transaction runs again.
        .onConflict(conflict => conflict.doNothing())
        .execute()
    },
    async take(purpose, handleDigest, now) {
      const row = await database
        .deleteFrom('held_deliveries')
        .where('handle_digest', '=', handleDigest)
        .where('purpose', '=', purpose)
        .returning(['delivery', 'expires_at'])
        .executeTakeFirst()
      if (!row || Number(row.expires_at) <= now.getTime()) return undefined
      const delivery: Delivery = JSON.parse(row.delivery)
      return delivery
    },
  }
}

/** Takes the keys of tokens, and returns a result for each claim. */
export async function consumeTokens(
  database: Database,
  claims: readonly ReplayClaim[],
): Promise<readonly ReplayResult[]> {
  const taken = await database
    .insertInto('used_tokens')
    .values(
      claims.map(({ key, expiresAt, requestId }) => ({
        token_key: key,
        expires_at: expiresAt.getTime(),
        request_id: requestId,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .returning('request_id')
    .execute()
  const isTaken = (requestId: string) => taken.some(({ request_id }) => request_id === requestId)
  const others = claims.filter(({ requestId }) => !isTaken(requestId)).map(({ key }) => key)
  const before =
    others.length === 0
      ? []
      : await database
          .selectFrom('used_tokens')
          .select('request_id')
          .where('token_key', 'in', others)
          .execute()
  return claims.map(({ requestId }) => {
    if (isTaken(requestId)) return 'taken'
    return before.some(({ request_id }) => request_id === requestId) ? 'again' : 'used'
  })
}

/**
 * The persons of the account's organization as contacts. A person exists once, with the CustomIds of all partners
 * that send the same identity number.
 */
function contactBook(database: Database): ContactBook {
  return {
    async put({ partnerId }, person, { accountId }) {
      const { organizationId } = await database
        .selectFrom('auth_users')
        .select('organizationId')
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow()
      const choice = await selectOrCreatePerson(database, { organizationId, partnerId }, person)
      if (choice.kind === 'choose') return choice
      // A partner's contact has no service user id, so it is always found or made.
      if (choice.kind === 'not-found') throw new TypeError('A contact must not carry a service user id.')
      return { kind: choice.kind, contactId: String(choice.id) }
    },
  }
}

/** The audit log in the database, or in a transaction: an entry is committed with the effect that it records. */
export function databaseAuditLog(database: Database): AuditLog {
  return { record: entry => recordEntries(database, [entry]) }
}

export async function recordEntries(database: Database, entries: readonly AuditEntry[]): Promise<void> {
  await database
    .insertInto('audit_entries')
    .values(
      entries.map(entry => ({
        at: entry.at.toISOString(),
        request_id: entry.requestId,
        event: entry.event,
        outcome: entry.outcome,
        partner_id: entry.partnerId,
        organization_id: entry.organizationId ?? null,
        account_id: entry.accountId ?? null,
        employee_digest: entry.employeeDigest ?? null,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/**
 * Wraps an audit log for unawaited entries: reports a failure, and still rejects. Disposing it waits for running
 * entries.
 */
export function watchedAuditLog(
  log: AuditLog,
  onFailure: (error: unknown) => void,
): AuditLog & AsyncDisposable {
  const running = new Set<Promise<void>>()
  return {
    async record(entry) {
      const writing = log.record(entry)
      running.add(writing)
      try {
        await writing
      } catch (error) {
        onFailure(error)
        throw error
      } finally {
        running.delete(writing)
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(running)
    },
  }
}

function sessionMaker(makeSession: ReturnType<typeof newSessions>, database: Database): SessionMaker {
  return {
    async create(account, request, context) {
      const { table, row, setCookies } = await makeSession(account.id, request, context)
      await database.insertInto(table).values(row).execute()
      return { setCookies }
    },
    // A session that is made at the same moment refers to a deleted link: its transaction fails at the commit.
    endLinked: async linkId => void (await endSessions(database, 'linkId', [linkId])),
  }
}

export function sessionsOf(auth: Auth, open: OpenDatabase): Sessions {
  const { database } = open
  return {
    ...sessionMaker(newSessions(auth), database),
    async current(request) {
      const employee = await watchDatabase(() => readEmployee(auth, database, request.headers))
      return employee && { id: employee.accountId, displayName: employee.name }
    },
  }
}

/** Counts a partner's posts in the database, for all processes on it together. */
export function databaseRateLimiter(database: Database): RateLimiter {
  return createRateLimiter(async ({ partnerId, minute, wanted, maxPerMinute }) => {
    // Processes whose clocks differ ask for one minute at different times.
    const options = { windowMs: 5 * 60_000, now: Date.now(), add: wanted }
    const { count } = await countRate(database, `posts ${minute} ${partnerId}`, options)
    return Math.max(0, wanted - Math.max(0, count - maxPerMinute))
  })
}
