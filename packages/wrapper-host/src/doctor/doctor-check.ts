import type { Brand } from '@service-link/protocol-core'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { Deadline, waitFor } from '@service-link/protocol-core/time'
import type { Engine } from '@service-link/window-engine'
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
  readonly remedy?: string | undefined
}

/** The finding of a named check. */
export interface CheckedFinding extends Finding {
  /** Name of the check. */
  readonly check: string
}

/** A check of the doctor. It changes nothing and disturbs no wrapper. Its errors become problems. */
export type DoctorCheck = (input: DoctorInput, signal: AbortSignal) => Finding | Promise<Finding>

/** Checks by their stable names, in the order of the report. */
export type DoctorChecks = Readonly<Record<string, DoctorCheck>>

export const ok = (sentence: string): Finding => ({ status: 'ok', sentence })
export const skipped = (sentence: string): Finding => ({ status: 'skipped', sentence })
/** The one fault of a damaged configuration file is that of `application-root`. */
export const unknownSettings = skipped('The settings are unknown while the configuration file is damaged.')
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

export interface DoctorInput {
  readonly brand: Brand
  readonly version: string
  readonly folders: WrapperFolders
  readonly environment: NodeJS.ProcessEnv
  /** Longest wait for a wrapper to prove itself, and for one that starts or exits, in milliseconds. Default 4000. */
  readonly wrapperTimeoutMs: number
  /** The program's own engine and type names of its own providers. */
  readonly engine?: Engine | undefined
  readonly providers?: readonly string[] | undefined
  /** Reads the configuration files and resolves the settings, once. */
  settings(): Promise<FoundSettings & ResolvedSettings>
}

type DoctorOptions = Omit<DoctorInput, 'settings' | 'wrapperTimeoutMs'> & {
  readonly wrapperTimeoutMs?: number | undefined
}

export function doctorInput({ wrapperTimeoutMs = 4000, ...options }: DoctorOptions): DoctorInput {
  let settings: ReturnType<DoctorInput['settings']> | undefined
  const readSettings = async () => {
    const found = await findSettings(options)
    return { ...found, ...resolveSettings(options.brand, found) }
  }
  return { ...options, wrapperTimeoutMs, settings: () => (settings ??= readSettings()) }
}

/** Longest time of a check, in milliseconds. */
export const checkMs = 10_000

/** Runs all checks at the same time. Returns the findings in the order of the checks. */
export function runChecks(
  checks: DoctorChecks,
  input: DoctorInput,
  timeoutMs = checkMs,
): Promise<readonly CheckedFinding[]> {
  return Promise.all(
    Object.entries(checks).map(async ([check, run]) => ({
      check,
      ...(await runCheck(run, input, timeoutMs)),
    })),
  )
}

async function runCheck(run: DoctorCheck, input: DoctorInput, timeoutMs: number): Promise<Finding> {
  const tooLong = new Error('The check takes too long.')
  using limit = new Deadline(timeoutMs).limit(() => tooLong)
  try {
    return await waitFor(Promise.resolve(run(input, limit.signal)), limit.signal)
  } catch (error) {
    if (error === tooLong)
      return problem(
        `The check took longer than ${timeoutMs / 1000} seconds.`,
        'Check again when the machine is less busy. If it stays so, restart it.',
      )
    return isServiceLinkError(error)
      ? problem(error.message, `Its code is ${error.code}${error.docsUrl ? `: see ${error.docsUrl}` : ''}.`)
      : problem(`The check failed (${failureReason(error)}).`, 'Report it.')
  }
}
