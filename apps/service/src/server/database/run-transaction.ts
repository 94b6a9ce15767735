import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { PostgresAdapter, sql } from 'kysely'
import { classifyFailure, DatabaseUnavailableError, observeDatabase } from './failures.ts'
import type { Database } from './tables.ts'

export interface RunTransactionOptions {
  /**
   * Whether to repeat the work if its commit may have arrived: doing it twice must have the effect of doing it once.
   * Default false.
   */
  readonly isRepeatable?: boolean
  /** How long new attempts start, in milliseconds. Default 3,000. */
  readonly maxMs?: number
  readonly now?: () => number
  readonly wait?: (ms: number) => Promise<unknown>
}

/** Longest wait of a starting service for another one that fills the database, in milliseconds. */
export const startMs = 60_000

export interface TransactionSource {
  transaction(): {
    execute<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result>
  }
}

/** First pause between two attempts and the longest one, in milliseconds. */
const pausesMs = { first: 50, longest: 400 }

/**
 * Runs work in one transaction, and repeats it while the database restarts, fails over or has a conflict; then throws
 * `DatabaseUnavailableError`. The work must have no effect outside the transaction.
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
    const failure = outcome.failure ?? outcome.error
    const kind = classifyFailure(failure)
    if (kind === 'other') throw outcome.error
    const isInDoubt = kind === 'lost' && isCommitting
    // Random, so that requests that failed together do not return together.
    const waitMs = pauseMs * (0.5 + Math.random() / 2)
    if (kind === 'busy' || (isInDoubt && !isRepeatable) || now() + waitMs >= endsAt)
      throw new DatabaseUnavailableError(failure)
    await wait(waitMs)
  }
}

/** Whether a transaction must lock what it relies on. Those of the embedded database run one after the other. */
export const needsLocks = (transaction: Database): boolean =>
  transaction.getExecutor().adapter instanceof PostgresAdapter

/** Locks names until the transaction ends; other transactions with one of them wait. */
export async function lockNames(transaction: Database, names: readonly string[]): Promise<void> {
  if (!needsLocks(transaction)) return
  // Sorted, so that two transactions never wait for each other.
  const keys = [...new Set(names.map(keyOf))].sort((a, b) => (a < b ? -1 : 1)).map(String)
  await sql`select pg_advisory_xact_lock(key) from unnest(${keys}::bigint[]) as key`.execute(transaction)
}

function keyOf(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE()
}
