import { connectProven, listWrapperRecords, type WrapperRecord } from '@service-link/pipe-client/running'
import type { Brand } from '@service-link/protocol-core'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { failureReason } from '../log/failure-reason.ts'
import { type FoundSettings, findSettings } from '../settings/find-settings.ts'
import { type ResolvedSettings, resolveSettings } from '../settings/resolve-settings.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'

/** The result of a check. `skipped`: the check does not apply. */
export type FindingStatus = 'ok' | 'warning' | 'problem' | 'skipped'

/** The finding of a check. */
export interface Finding {
  readonly status: FindingStatus
  /** The state or the fault. */
  readonly sentence: string
  /** What to do. Only with a warning or a problem. */
  readonly remedy?: string
}

/** The finding of a named check. */
export interface CheckedFinding extends Finding {
  /** Name of the check. */
  readonly check: string
}

/**
 * A check of the doctor. It changes nothing and disturbs no wrapper. Its errors become problems.
 *
 * @param signal aborts when the check takes too long. Its result is ignored then
 */
export type DoctorCheck = (context: DoctorContext, signal: AbortSignal) => Finding | Promise<Finding>

/** Checks by their stable names, in the order of the report. */
export type DoctorChecks = Readonly<Record<string, DoctorCheck>>

/** All is well. */
export const ok = (sentence: string): Finding => ({ status: 'ok', sentence })
/** The check does not apply. */
export const skipped = (sentence: string): Finding => ({ status: 'skipped', sentence })
/** The wrapper starts in spite of it. */
export const warning = (sentence: string, remedy: string): Finding => ({
  status: 'warning',
  sentence,
  remedy,
})
/** The wrapper cannot start or work. */
export const problem = (sentence: string, remedy: string): Finding => ({
  status: 'problem',
  sentence,
  remedy,
})

/**
 * A published wrapper and its answer. `proven`: it is this user's wrapper. `silent`: no answer in time. `unproven`: another process
 * answers.
 */
export interface AskedWrapper {
  readonly record: WrapperRecord
  readonly state: 'proven' | 'silent' | 'unproven'
}

/** Asks a wrapper for its proof. */
export async function askWrapper(
  record: WrapperRecord,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<AskedWrapper> {
  const outcome = await connectProven(record, { timeoutMs, signal })
  if ('failure' in outcome) return { record, state: outcome.failure === 'unproven' ? 'unproven' : 'silent' }
  outcome.socket.destroy()
  return { record, state: 'proven' }
}

/** The input of the checks. */
export interface DoctorContext {
  readonly brand: Brand
  readonly version: string
  readonly folders: WrapperFolders
  readonly environment: NodeJS.ProcessEnv
  /** Longest wait for a wrapper to prove itself, and for one that starts or exits, in milliseconds. Default 4000. */
  readonly wrapperTimeoutMs: number
  /**
   * Reads the configuration files and resolves the settings, once.
   *
   * @throws {ConfigFileError} when a file cannot be read
   */
  settings(): Promise<FoundSettings & ResolvedSettings>
  /** Asks each published wrapper of this user for its proof. */
  wrappers(signal: AbortSignal): Promise<readonly AskedWrapper[]>
}

/** Options of {@link doctorContext}. */
export type DoctorOptions = Pick<DoctorContext, 'brand' | 'version' | 'folders' | 'environment'> &
  Partial<Pick<DoctorContext, 'wrapperTimeoutMs'>>

/** Makes the input of the checks. */
export function doctorContext(options: DoctorOptions): DoctorContext {
  const { brand, folders, wrapperTimeoutMs = 4000 } = options
  let settings: ReturnType<DoctorContext['settings']> | undefined
  const readSettings = async () => {
    const found = await findSettings(options)
    return { ...found, ...resolveSettings(brand, found) }
  }
  return {
    ...options,
    wrapperTimeoutMs,
    settings: () => (settings ??= readSettings()),
    wrappers: signal =>
      Promise.all(
        listWrapperRecords(folders.userFolder).map(record => askWrapper(record, wrapperTimeoutMs, signal)),
      ),
  }
}

/**
 * Runs all checks at the same time.
 *
 * @param timeoutMs longest time of a check, in milliseconds
 * @returns the findings in the order of the checks
 */
export function runChecks(
  checks: DoctorChecks,
  context: DoctorContext,
  timeoutMs = 10_000,
): Promise<readonly CheckedFinding[]> {
  return Promise.all(
    Object.entries(checks).map(async ([check, run]) => ({
      check,
      ...(await runCheck(run, context, timeoutMs)),
    })),
  )
}

async function runCheck(run: DoctorCheck, context: DoctorContext, timeoutMs: number): Promise<Finding> {
  const abort = new AbortController()
  const late = Promise.withResolvers<Finding>()
  const timer = setTimeout(() => {
    late.resolve(
      problem(
        `The check took longer than ${timeoutMs / 1000} seconds.`,
        'Check again when the machine is less busy. If it stays so, restart it.',
      ),
    )
    abort.abort()
  }, timeoutMs)
  try {
    return await Promise.race([run(context, abort.signal), late.promise])
  } catch (error) {
    return isServiceLinkError(error)
      ? problem(error.message, `Its code is ${error.code}; see the README of the wrapper.`)
      : problem(`The check failed (${failureReason(error)}).`, 'Report it.')
  } finally {
    clearTimeout(timer)
  }
}
