import { resolve } from 'node:path'
import type { WrapperRecord } from '@service-link/protocol-core'
import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { Deadline } from '@service-link/protocol-core/time'
import type { FoundWrapper } from '../connection/channel.ts'
import { assertOptions, limits } from '../errors/assert-options.ts'
import { PipeAmbiguousError, PipeNotFoundError } from '../errors/pipe-error.ts'
import { connectProven } from '../running/connect-proven.ts'
import { listWrapperRecords } from '../running/list-records.ts'
import { ownDesktop } from '../running/own-desktop.ts'
import { ownUserFolder } from '../running/wrapper-record.ts'

/** Folder of the records of wrappers. */
export interface RecordOptions {
  /** Names of the wrapper: vendor and application name the folder of its record. Default: the specification's. */
  readonly brand?: Brand | undefined
  /**
   * Per-user folder of the wrapper, in development and tests: a packed wrapper has the one of brand and platform only. Default: as
   * the brand, `SERVICE_WRAPPER_DATA` and the platform say.
   */
  readonly userFolder?: string | undefined
}

/** Options of {@link findWrappers}. */
export interface FindWrappersOptions extends RecordOptions {
  /** Longest wait for the wrappers to prove themselves, all at the same time, in milliseconds, 1 to 2,147,483,647. Default 5,000. */
  readonly timeoutMs?: number | undefined
  /** Gives up the search. It then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

const proofTimeoutMs = 5_000

/**
 * Finds the running wrappers of this user, on all desktops, by their records in the per-user folder. Leaves out those
 * that do not prove themselves. Older wrappers and those of other makers publish no record.
 *
 * @returns ordered by process id
 * @throws {ParameterError} if an option is of another kind
 * @throws {FolderVariableError} if the variable `SERVICE_WRAPPER_DATA` is a relative path
 * @example
 * ```ts
 * import { findWrappers } from '@service-link/pipe-client'
 *
 * for (const { pid, version } of await findWrappers()) console.log(pid, version)
 * ```
 */
export async function findWrappers(options: FindWrappersOptions = {}): Promise<readonly FoundWrapper[]> {
  assertOptions(options, { ...limits, brand: 'object?', userFolder: 'text?' })
  const { timeoutMs = proofTimeoutMs, signal } = options
  const deadline = new Deadline(timeoutMs, signal)
  signal?.throwIfAborted()
  return (await keepProven(listRecords(options), deadline)).map(foundOf)
}

/** Lists the records of all wrappers whose processes live. */
function listRecords({ brand = defaultBrand, userFolder }: RecordOptions): readonly WrapperRecord[] {
  return listWrapperRecords(userFolder === undefined ? ownUserFolder(brand) : resolve(userFolder))
}

/** Leaves the key of a record out. */
export function foundOf({ key: _, ...found }: WrapperRecord): FoundWrapper {
  return found
}

/** The wrapper that a caller wants. */
export interface WrapperChoice extends RecordOptions {
  /** Its process id. Default: any. */
  readonly pid: number | undefined
  /** Its desktop. Default: the one of this process. */
  readonly keptDesktop: string | undefined
}

/**
 * Chooses the wrapper for a command: by the process id, else by the desktop, so that no person appears on a desktop
 * that the caller does not see. A caller without a desktop, as over SSH, may use any wrapper. A caller whose desktop has no
 * wrapper may use one without a desktop. If several are possible, each has to prove itself.
 *
 * @throws {DesktopUnknownError} when Windows does not tell the desktop of this process, and wrappers run
 */
export async function chooseRecord(
  { pid, keptDesktop, ...where }: WrapperChoice,
  deadline: Deadline,
): Promise<WrapperRecord> {
  deadline.signal?.throwIfAborted()
  const records = listRecords(where)
  const possible = possibleRecords(records, pid, keptDesktop)
  const [chosen, ...more] = possible.length > 1 ? await keepProven(possible, deadline) : possible
  const pidsOf = (some: readonly WrapperRecord[]) => some.map(record => record.pid)
  const { userFolder } = where
  if (!chosen && pid === undefined && records.length === 0 && userFolder !== undefined)
    throw new PipeNotFoundError(undefined, [], `No wrapper runs with the userFolder ${resolve(userFolder)}.`)
  if (!chosen) throw new PipeNotFoundError(pid, pid === undefined ? pidsOf(records) : [])
  if (more.length > 0) throw new PipeAmbiguousError(pidsOf([chosen, ...more]))
  return chosen
}

/** Says which wrappers are possible, see {@link chooseRecord}. */
function possibleRecords(
  records: readonly WrapperRecord[],
  pid: number | undefined,
  keptDesktop: string | undefined,
): readonly WrapperRecord[] {
  if (pid !== undefined) return records.filter(record => record.pid === pid)
  if (records.length === 0) return []
  const desktop = keptDesktop ?? ownDesktop()
  const exact = records.filter(record => record.desktop === desktop)
  if (exact.length > 0 || keptDesktop !== undefined) return exact
  return desktop === '' ? records : records.filter(record => record.desktop === '')
}

async function keepProven(
  records: readonly WrapperRecord[],
  deadline: Deadline,
): Promise<readonly WrapperRecord[]> {
  const limits = deadline.atMost(proofTimeoutMs)
  const outcomes = await Promise.all(records.map(record => connectProven(record, limits)))
  for (const outcome of outcomes) if ('socket' in outcome) outcome.socket.destroy()
  return records.filter((_, index) => 'socket' in (outcomes[index] ?? {}))
}
