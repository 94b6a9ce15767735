import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { failureReason } from '../log/failure-reason.ts'
import { type DoctorCheck, type Finding, problem } from './doctor-check.ts'
import type { DoctorContext } from './doctor-context.ts'

/** What one check found. */
export interface CheckedFinding extends Finding {
  /** Name of the check. */
  readonly check: string
}

/**
 * Runs all checks at the same time, whatever becomes of the others.
 *
 * @param timeoutMs longest time of each, in milliseconds
 * @returns their findings, in their order
 */
export function runChecks(
  checks: readonly DoctorCheck[],
  context: DoctorContext,
  timeoutMs = 10_000,
): Promise<readonly CheckedFinding[]> {
  return Promise.all(
    checks.map(async check => ({ check: check.name, ...(await runCheck(check, context, timeoutMs)) })),
  )
}

async function runCheck(check: DoctorCheck, context: DoctorContext, timeoutMs: number): Promise<Finding> {
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
    return await Promise.race([check.run(context, abort.signal), late.promise])
  } catch (error) {
    return isServiceLinkError(error)
      ? problem(error.message, `Its code is ${error.code}; the README of the wrapper says what it means.`)
      : problem(`This could not be found out (${failureReason(error)}).`, 'Report it.')
  } finally {
    clearTimeout(timer)
  }
}
