import { AsyncLocalStorage } from 'node:async_hooks'
import { ServiceLinkError } from '@service-link/protocol-core/errors'

/**
 * What a failure of the database means for work on it.
 *
 * - `lost`: the connection broke or could not be made, or the server is starting or stopping. A transaction whose commit
 * was in progress may have taken effect.
 * - `conflict`: another transaction was in the way. Nothing took effect.
 * - `busy`: the server gave up for lack of time or space. Nothing took effect, and another attempt would not help.
 * - `other`: the statement itself is at fault.
 */
export type FailureKind = 'lost' | 'conflict' | 'busy' | 'other'

/** SQLSTATE codes (PostgreSQL manual, appendix A) and Node's codes of sockets. */
const kindOfCode: Readonly<Record<string, FailureKind>> = {
  '57P01': 'lost', // admin_shutdown
  '57P02': 'lost', // crash_shutdown
  '57P03': 'lost', // cannot_connect_now: it starts, stops or recovers
  '57P05': 'lost', // idle_session_timeout
  '25P03': 'lost', // idle_in_transaction_session_timeout
  '25006': 'lost', // read_only_sql_transaction: a standby that is not the leader yet, or no longer
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected
  '23503': 'conflict', // foreign_key_violation: what a row refers to was deleted meanwhile
  '40003': 'lost', // statement_completion_unknown
  '55P03': 'conflict', // lock_not_available
  '57014': 'busy', // query_canceled: the statement's time was over
  ECONNREFUSED: 'lost',
  ECONNRESET: 'lost',
  ECONNABORTED: 'lost',
  EPIPE: 'lost',
  ETIMEDOUT: 'lost',
  EHOSTUNREACH: 'lost',
  EHOSTDOWN: 'lost',
  ENETUNREACH: 'lost',
  ENETDOWN: 'lost',
  EAI_AGAIN: 'lost',
}

/** Beginnings of the driver's errors without a code. */
const messagesOfLoss = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Postgres connection has been discarded',
]

/** Node's error code of SQLite, and the result codes SQLITE_BUSY and SQLITE_LOCKED. */
const sqliteErrorCode = 'ERR_SQLITE_ERROR'
const sqliteConflicts = new Set([5, 6])

export function classifyFailure(error: unknown): FailureKind {
  if (!(error instanceof Error)) return 'other'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === sqliteErrorCode) return classifySqlite(error)
  // A stopped server has no socket file.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect' ? 'lost' : 'other'
  const kind = kindOfCode[code]
  if (kind) return kind
  if (/^08[0-9A-Z]{3}$/.test(code)) return 'lost'
  if (/^53[0-9A-Z]{3}$/.test(code)) return 'busy'
  if (error instanceof AggregateError) return error.errors.map(classifyFailure).find(isMoment) ?? 'other'
  return code === '' && messagesOfLoss.some(begin => error.message.startsWith(begin)) ? 'lost' : 'other'
}

/** Whether the same work may succeed a moment later. */
export function isRetryable(error: unknown): boolean {
  const kind = classifyFailure(error)
  return kind === 'lost' || kind === 'conflict'
}

function classifySqlite(error: Error): FailureKind {
  const result = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0
  return sqliteConflicts.has(result) ? 'conflict' : 'other'
}

function isMoment(kind: FailureKind): boolean {
  return kind !== 'other'
}

/**
 * The database cannot be reached, or has no capacity at the moment. Contains nothing of the statement or the driver's
 * error.
 */
export class DatabaseUnavailableError extends ServiceLinkError<'ERR_UNAVAILABLE'> {
  readonly code = 'ERR_UNAVAILABLE'

  constructor() {
    super('The service’s database is not available at the moment. Try again in a while.')
  }
}

/** Outcome of work on the database; `failure` is the last failure of the database during it. */
type ObservedOutcome<Result> =
  | { readonly result: Result; readonly failure: unknown }
  | { readonly error: unknown; readonly failure: unknown }

const watches = new AsyncLocalStorage<{ failure: unknown }>()

/** Records a failure for the current work. Called for each failed statement and connection. */
export function noteFailure(error: unknown): void {
  const watch = watches.getStore()
  if (watch && classifyFailure(error) !== 'other') watch.failure = error
}

/** Runs work and records the database's failures, even if the work hides them. Never rejects. */
export async function observeDatabase<Result>(work: () => Promise<Result>): Promise<ObservedOutcome<Result>> {
  const watch = { failure: undefined }
  try {
    const result = await watches.run(watch, work)
    return { result, failure: watch.failure }
  } catch (error) {
    return { error, failure: watch.failure }
  }
}

/**
 * Runs code that hides a lost database, such as a log-in library that then answers "not signed in", and throws
 * `DatabaseUnavailableError` if the database failed meanwhile.
 */
export async function watchDatabase<Result>(work: () => Promise<Result>): Promise<Result> {
  const outcome = await observeDatabase(work)
  if (outcome.failure !== undefined) throw new DatabaseUnavailableError()
  if ('result' in outcome) return outcome.result
  throw isUnavailable(outcome.error) ? new DatabaseUnavailableError() : outcome.error
}

/** Whether the database is at fault, not the request, so that a later request may succeed. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError || classifyFailure(error) !== 'other'
}
