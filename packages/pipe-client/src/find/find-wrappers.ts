import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { type Brand, defaultBrand, wrapperUserFolder } from '@service-link/protocol-core/brand'
import { assertOptions } from '../connection/call-bounds.ts'
import { boundTimeout } from '../connection/timeout.ts'
import { PipeAmbiguousError, PipeNotFoundError } from '../errors/pipe-error.ts'
import { connectProven } from '../running/connect-proven.ts'
import { listWrapperRecords, ownLoginSession, type WrapperRecord } from '../running/wrapper-record.ts'

/** A wrapper that is running. */
export interface FoundWrapper {
  /** Process id of the wrapper. */
  readonly pid: number
  /** Where it is connected to: a named pipe of Windows, or the path of a socket. */
  readonly address: string
  /** What tells its login session from this user's others; empty without one. Missing in the classic mode. */
  readonly session?: string
  /** Four numbers with dots between them. Missing in the classic mode. */
  readonly version?: string
}

/** Where the records of wrappers are found. */
export interface RecordOptions {
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand
  /** Per-user folder of the wrapper. Default: as the brand, `SERVICE_WRAPPER_DATA` and the platform say. */
  readonly userFolder?: string
}

/** Options of {@link findWrappers}. */
export interface FindWrappersOptions extends RecordOptions {
  /** Longest wait for the wrappers to prove themselves, all at the same time, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number
  /** Gives the search up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

const proofTimeoutMs = 5_000

/**
 * Finds the running wrappers of this user, in all login sessions: those whose record is in the per-user folder, and that
 * prove to be the one of the record. Older wrappers and those of other makers publish no record.
 *
 * @returns ordered by process id
 * @throws {ParameterError} when an option is of another kind
 * @throws {RangeError} when the time-out is negative or not a number
 * @example
 * ```ts
 * import { findWrappers } from '@service-link/pipe-client'
 *
 * for (const { pid, version } of await findWrappers()) console.log(pid, version)
 * ```
 */
export async function findWrappers(options: FindWrappersOptions = {}): Promise<readonly FoundWrapper[]> {
  assertOptions(options, { userFolder: 'text?' })
  const { timeoutMs = proofTimeoutMs, signal } = options
  const limits = { timeoutMs: boundTimeout(timeoutMs), signal }
  signal?.throwIfAborted()
  return (await keepProven(listRecords(options), limits)).map(foundOf)
}

/** The records of all wrappers whose processes live. */
export function listRecords({ brand = defaultBrand, userFolder }: RecordOptions): readonly WrapperRecord[] {
  const folder = userFolder ?? wrapperUserFolder(brand, process.platform, process.env, homedir)
  return listWrapperRecords(resolve(folder))
}

/** What callers are told of a record: not the key. */
export function foundOf({ pid, address, session, version }: WrapperRecord): FoundWrapper {
  return { pid, address, session, version }
}

/** Which wrapper is meant. */
export interface WrapperChoice extends RecordOptions {
  /** The one that is this process. */
  readonly pid: number | undefined
  /** The login session whose wrapper alone is meant. Default: this process's own. */
  readonly keptSession: string | undefined
}

/**
 * Chooses the wrapper that a command is for: the one of a process id, else the one of the login session, so that nobody
 * appears on a desktop that the caller does not see. A process without a session, as over SSH, has no desktop and may mean
 * any; so may be meant a wrapper without a session where this one has none of its own. If several can be meant, each has to
 * prove itself.
 *
 * @throws {PipeNotFoundError} when there is none
 * @throws {PipeAmbiguousError} when several can be meant
 * @throws the signal's reason when it aborts
 */
export async function chooseRecord(
  { pid, keptSession, ...where }: WrapperChoice,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<WrapperRecord> {
  limits.signal?.throwIfAborted()
  const records = listRecords(where)
  const possible = possibleRecords(records, pid, keptSession)
  const [chosen, ...more] = possible.length > 1 ? await keepProven(possible, limits) : possible
  const pidsOf = (some: readonly WrapperRecord[]) => some.map(record => record.pid)
  if (!chosen) throw new PipeNotFoundError(pid, pid === undefined ? pidsOf(records) : [])
  if (more.length > 0) throw new PipeAmbiguousError(pidsOf([chosen, ...more]))
  return chosen
}

/** Those that can be meant, see {@link chooseRecord}. */
export function possibleRecords(
  records: readonly WrapperRecord[],
  pid: number | undefined,
  keptSession?: string,
  ownSession: string = ownLoginSession(),
): readonly WrapperRecord[] {
  if (pid !== undefined) return records.filter(record => record.pid === pid)
  const session = keptSession ?? ownSession
  const exact = records.filter(record => record.session === session)
  if (exact.length > 0 || keptSession !== undefined) return exact
  return session === '' ? records : records.filter(record => record.session === '')
}

async function keepProven(
  records: readonly WrapperRecord[],
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<readonly WrapperRecord[]> {
  const limits = { timeoutMs: Math.min(timeoutMs, proofTimeoutMs), signal }
  const outcomes = await Promise.all(records.map(record => connectProven(record, () => undefined, limits)))
  for (const outcome of outcomes) if ('socket' in outcome) outcome.socket.destroy()
  return records.filter((_, index) => 'socket' in (outcomes[index] ?? {}))
}
