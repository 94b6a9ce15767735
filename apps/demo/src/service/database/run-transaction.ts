import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { PostgresAdapter, sql } from 'kysely'
import { classifyFailure, DatabaseUnavailableError, observeDatabase } from './failures.ts'
import type { Database } from './tables.ts'

export interface RunTransactionOptions {
  /**
   * Whether the work may be done again when nobody knows if its commit arrived: doing it twice then has the effect of
   * doing it once. Default false.
   */
  readonly isRepeatable?: boolean
  /** How long new attempts are begun, in milliseconds. Default 3,000. */
  readonly maxMs?: number
  /** Milliseconds since any fixed moment. Default: the machine's steady clock. */
  readonly now?: () => number
  /** Default: a timer. */
  readonly wait?: (ms: number) => Promise<unknown>
}

/** How long a service that starts waits for another one to fill the database, in milliseconds. */
export const startMs = 60_000

/** What transactions are begun on. */
interface TransactionSource {
  transaction(): {
    execute<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result>
  }
}

/** First pause between two attempts and the longest one, in milliseconds. */
const pausesMs = { first: 50, longest: 400 }

/**
 * Runs work in one transaction, and runs it again while the database restarts, fails over or has another transaction in
 * the way. The work must have no effect outside the transaction.
 *
 * @throws {DatabaseUnavailableError} when the database did not come back in time
 * @throws what `work` throws otherwise
 */
export async function runTransaction<Result>(
  database: TransactionSource,
  work: (transaction: Database) => Promise<Result>,
  options: RunTransactionOptions = {},
): Promise<Result> {
  const { isRepeatable = false, maxMs = 3000, now = () => performance.now(), wait = delay } = options
  const endsAt = now() + maxMs
  for (let pauseMs = pausesMs.first; ; pauseMs = Math.min(pauseMs * 2, pausesMs.longest)) {
    let isCommitting = false
    const outcome = await observeDatabase(() =>
      database.transaction().execute(async transaction => {
        const result = await work(transaction)
        isCommitting = true
        return result
      }),
    )
    if ('result' in outcome) return outcome.result
    const kind = classifyFailure(outcome.failure ?? outcome.error)
    if (kind === 'other') throw outcome.error
    const isInDoubt = kind === 'lost' && isCommitting
    // Spread, so that those who were refused together do not come back together.
    const waitMs = pauseMs * (0.5 + Math.random() / 2)
    if (kind === 'busy' || (isInDoubt && !isRepeatable) || now() + waitMs >= endsAt)
      throw new DatabaseUnavailableError()
    await wait(waitMs)
  }
}

/**
 * Holds names until the transaction ends; another transaction that wants one of them waits. On the embedded database
 * nothing is to be done: its transactions run one after the other.
 *
 * @param transaction must be one
 * @param names each names a thing that the transaction makes, such as `["person", 7, "c-1"]` as JSON
 */
export async function lockNames(transaction: Database, names: readonly string[]): Promise<void> {
  if (!(transaction.getExecutor().adapter instanceof PostgresAdapter)) return
  // In one order for everybody, so that two transactions never wait for each other.
  const keys = [...new Set(names.map(keyOf))].sort((a, b) => (a < b ? -1 : 1)).map(String)
  await sql`select pg_advisory_xact_lock(key) from unnest(${keys}::bigint[]) as key`.execute(transaction)
}

function keyOf(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE()
}
