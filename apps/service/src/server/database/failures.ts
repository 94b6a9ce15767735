import { AsyncLocalStorage } from 'node:async_hooks'
import { defineError } from '@service-link/protocol-core/errors'

/**
 * What a failure of the database means for work on it.
 *
 * - `lost`: the connection broke or could not be made, or the server is starting or stopping. A transaction whose commit
 * was in progress may have taken effect.
 * - `conflict`: another transaction was in the way. Nothing took effect.
 * - `busy`: the server gave up for lack of time, space or a sound disk, or lets nobody in. Nothing took effect, and another
 * attempt would not help.
 * - `other`: the statement itself is at fault.
 */
export type FailureKind = 'lost' | 'conflict' | 'busy' | 'other'

/** SQLSTATE codes with their names (PostgreSQL manual, appendix A), and Node's codes of sockets. */
const kindOfCode: Readonly<Record<string, readonly [kind: FailureKind, name?: string]>> = {
  '57P01': ['lost', 'admin_shutdown'],
  '57P02': ['lost', 'crash_shutdown'],
  '57P03': ['lost', 'cannot_connect_now'],
  '57P05': ['lost', 'idle_session_timeout'],
  '25P03': ['lost', 'idle_in_transaction_session_timeout'],
  // A standby that is not the leader yet, or no longer.
  '25006': ['lost', 'read_only_sql_transaction'],
  '40001': ['conflict', 'serialization_failure'],
  '40P01': ['conflict', 'deadlock_detected'],
  // What a row refers to was deleted meanwhile.
  '23503': ['conflict', 'foreign_key_violation'],
  '40003': ['lost', 'statement_completion_unknown'],
  '55P03': ['conflict', 'lock_not_available'],
  '57014': ['busy', 'query_canceled'],
  '57P04': ['busy', 'database_dropped'],
  '3D000': ['busy', 'invalid_catalog_name'],
  '28000': ['busy', 'invalid_authorization_specification'],
  '28P01': ['busy', 'invalid_password'],
  '53100': ['busy', 'disk_full'],
  '53300': ['busy', 'too_many_connections'],
  XX001: ['busy', 'data_corrupted'],
  XX002: ['busy', 'index_corrupted'],
  ECONNREFUSED: ['lost'],
  ECONNRESET: ['lost'],
  ECONNABORTED: ['lost'],
  EPIPE: ['lost'],
  ETIMEDOUT: ['lost'],
  EHOSTUNREACH: ['lost'],
  EHOSTDOWN: ['lost'],
  ENETUNREACH: ['lost'],
  ENETDOWN: ['lost'],
  EAI_AGAIN: ['lost'],
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

/** Node's error code of SQLite. */
const sqliteErrorCode = 'ERR_SQLITE_ERROR'

/** Result codes of SQLite that blame no statement (sqlite.org/rescode.html). */
const sqliteFailures: Readonly<Record<number, readonly [kind: FailureKind, name: string]>> = {
  3: ['busy', 'SQLITE_PERM'],
  5: ['conflict', 'SQLITE_BUSY'],
  6: ['conflict', 'SQLITE_LOCKED'],
  7: ['busy', 'SQLITE_NOMEM'],
  8: ['busy', 'SQLITE_READONLY'],
  10: ['busy', 'SQLITE_IOERR'],
  11: ['busy', 'SQLITE_CORRUPT'],
  13: ['busy', 'SQLITE_FULL'],
  14: ['busy', 'SQLITE_CANTOPEN'],
  15: ['busy', 'SQLITE_PROTOCOL'],
  22: ['busy', 'SQLITE_NOLFS'],
  26: ['busy', 'SQLITE_NOTADB'],
}

export function classifyFailure(error: unknown): FailureKind {
  return recognize(error)?.kind ?? 'other'
}

/**
 * Why the database failed, for the operator's log: the name of the code, and SQLite's own sentence for it. `undefined` for the
 * kind `other`, whose messages may quote a statement's values. Holds no name of a server or a user.
 */
export function reasonOf(error: unknown): string | undefined {
  return error instanceof DatabaseUnavailableError ? error.reason : recognize(error)?.reason
}

/** Whether the embedded database's file itself is damaged, which no waiting mends. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB):/.test(reasonOf(error) ?? '')
}

/** What the operator can do so that the next start works, by the beginning of a reason. */
const remedies: readonly (readonly [reason: RegExp, remedy: string])[] = [
  [/^SQLITE_(FULL|IOERR):/, 'Free space on its disk, or mend the disk.'],
  [/^SQLITE_(CANTOPEN|READONLY|PERM):/, 'Name with SERVICE_DATA a folder in which this user may write.'],
  [/^SQLITE_(CORRUPT|NOTADB):/, 'Restore a back-up, or move service.sqlite* away to begin without data.'],
  [/^SQLITE_(BUSY|LOCKED):/, 'End the other program that uses the file.'],
]

/** What to do about a reason of the embedded database that keeps the service from starting. */
export function remedyOf(reason: string): string | undefined {
  return remedies.find(([pattern]) => pattern.test(reason))?.[1]
}

interface Recognized {
  readonly kind: FailureKind
  readonly reason: string
}

function recognize(error: unknown): Recognized | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === sqliteErrorCode) return recognizeSqlite(error)
  // A stopped server has no socket file.
  if (code === 'ENOENT')
    return 'syscall' in error && error.syscall === 'connect' ? { kind: 'lost', reason: code } : undefined
  const [kind, name] = kindOfCode[code] ?? []
  if (kind) return { kind, reason: name === undefined ? code : `${code} ${name}` }
  if (/^08[0-9A-Z]{3}$/.test(code)) return { kind: 'lost', reason: code }
  if (/^5[38][0-9A-Z]{3}$/.test(code)) return { kind: 'busy', reason: code }
  if (error instanceof AggregateError) return error.errors.map(recognize).find(found => found !== undefined)
  const message = code === '' && messagesOfLoss.find(begin => error.message.startsWith(begin))
  return message ? { kind: 'lost', reason: message } : undefined
}

/** Whether the same work may succeed a moment later. */
export function isRetryable(error: unknown): boolean {
  const kind = classifyFailure(error)
  return kind === 'lost' || kind === 'conflict'
}

function recognizeSqlite(error: Error): Recognized | undefined {
  const { errcode, errstr }: { errcode?: unknown; errstr?: unknown } = Object(error)
  const [kind, name] = sqliteFailures[Number(errcode) & 0xff] ?? []
  return kind && { kind, reason: `${name}: ${errstr}` }
}

/**
 * The database cannot be reached or used at the moment. Contains nothing of the statement or the driver's error but
 * `reasonOf` it.
 */
export class DatabaseUnavailableError extends defineError(
  'ERR_UNAVAILABLE',
  (failure?: unknown) => ({
    message: 'The service’s database is not available at the moment. Try again in a while.',
    /** For the operator, not for the caller. */
    reason: reasonOf(failure),
  }),
  'DatabaseUnavailableError',
) {}

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
  if (outcome.failure !== undefined) throw new DatabaseUnavailableError(outcome.failure)
  if ('result' in outcome) return outcome.result
  throw isUnavailable(outcome.error) ? new DatabaseUnavailableError(outcome.error) : outcome.error
}

/** Whether the database is at fault, not the request, so that a later request may succeed. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError || classifyFailure(error) !== 'other'
}
