import type { DoctorContext } from './doctor-context.ts'

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

/** One thing that the doctor looks at. It changes, makes and disturbs nothing. */
export interface DoctorCheck {
  /** Stable word for it. */
  readonly name: string
  /**
   * Looks. What it throws becomes a problem.
   *
   * @param signal aborted when the check takes too long; nothing waits for it then
   */
  run(context: DoctorContext, signal: AbortSignal): Promise<Finding>
}

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
