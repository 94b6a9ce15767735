import { connectProven, listWrapperRecords, type WrapperRecord } from '@service-link/pipe-client/running'
import type { Brand } from '@service-link/protocol-core'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { failureReason } from '../log/failure-reason.ts'
import { type FoundSettings, findSettings } from '../settings/find-settings.ts'
import { type ResolvedSettings, resolveSettings } from '../settings/resolve-settings.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'

/** How a check ended; `skipped` says why it was of no use. */
export type FindingStatus = 'ok' | 'warning' | 'problem' | 'skipped'

/** What a check found. */
export interface Finding {
  readonly status: FindingStatus
  /** What is there, or what is wrong. */
  readonly sentence: string
  /** What to do about it; only with a warning or a problem. */
  readonly remedy?: string
}

/** What one check of the doctor's table found. */
export interface CheckedFinding extends Finding {
  /** Name of the check. */
  readonly check: string
}

/**
 * One look of the doctor. It changes, makes and disturbs nothing. What it throws becomes a problem.
 *
 * @param signal aborts when the check takes too long; nothing waits for it then
 */
export type DoctorCheck = (context: DoctorContext, signal: AbortSignal) => Finding | Promise<Finding>

/** Checks by their stable names, in the order in which they are told. */
export type DoctorChecks = Readonly<Record<string, DoctorCheck>>

/** All is well. */
export const ok = (sentence: string): Finding => ({ status: 'ok', sentence })
/** It was of no use to look. */
export const skipped = (sentence: string): Finding => ({ status: 'skipped', sentence })
/** Something that the wrapper starts with all the same. */
export const warning = (sentence: string, remedy: string): Finding => ({
  status: 'warning',
  sentence,
  remedy,
})
/** Something that keeps the wrapper from starting, or from its work. */
export const problem = (sentence: string, remedy: string): Finding => ({
  status: 'problem',
  sentence,
  remedy,
})

/**
 * A published wrapper, and how it answered: `proven`, as this user's wrapper; `silent`, not in time or not at all;
 * `unproven`, as somebody else.
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
  const outcome = await connectProven(record, () => undefined, { timeoutMs, signal })
  if ('failure' in outcome) return { record, state: outcome.failure === 'unproven' ? 'unproven' : 'silent' }
  outcome.socket.destroy()
  return { record, state: 'proven' }
}

/** What the checks look at. */
export interface DoctorContext {
  readonly brand: Brand
  readonly version: string
  readonly folders: WrapperFolders
  readonly environment: NodeJS.ProcessEnv
  /** Longest wait for a wrapper to prove itself, and for one that starts or exits, in milliseconds. Default 4000. */
  readonly wrapperTimeoutMs: number
  /**
   * The configuration files and what they come to; read once.
   *
   * @throws {ConfigFileError} when a file is there and cannot be read
   */
  settings(): Promise<FoundSettings & ResolvedSettings>
  /** The published wrappers of this user, each asked for its proof. */
  wrappers(signal: AbortSignal): Promise<readonly AskedWrapper[]>
}

/** Options of {@link doctorContext}. */
export type DoctorOptions = Pick<DoctorContext, 'brand' | 'version' | 'folders' | 'environment'> &
  Partial<Pick<DoctorContext, 'wrapperTimeoutMs'>>

/** Puts together what the checks share. */
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
 * Runs all checks at the same time, whatever becomes of the others.
 *
 * @param timeoutMs longest time of each, in milliseconds
 * @returns their findings, in their order
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
        `This could not be found out within ${timeoutMs / 1000} seconds.`,
        'Look again when the machine is less busy; if it stays so, restart it.',
      ),
    )
    abort.abort()
  }, timeoutMs)
  try {
    return await Promise.race([run(context, abort.signal), late.promise])
  } catch (error) {
    return isServiceLinkError(error)
      ? problem(error.message, `Its code is ${error.code}; the README of the wrapper says what it means.`)
      : problem(`This could not be found out (${failureReason(error)}).`, 'Report it.')
  } finally {
    clearTimeout(timer)
  }
}
