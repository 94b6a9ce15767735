import { isServiceLinkError } from '@service-link/protocol-core/errors'
import type { TakeLaunch } from '../instance/launch-offers.ts'
import type { ReportEvent } from '../log/events.ts'
import { LaunchQueue, type LaunchQueueOptions } from './launch-queue.ts'

/** Options of {@link takeLaunches}. */
export interface TakeLaunchesOptions extends Omit<LaunchQueueOptions, 'onFailed' | 'onLeftover'> {
  readonly report: ReportEvent
}

/** Takes launches into a queue, and reports what becomes of each. */
export function takeLaunches({ report, ...options }: TakeLaunchesOptions): TakeLaunch {
  const queue = new LaunchQueue({
    ...options,
    onFailed: (launchId, error) => report({ type: 'launch-failed', launchId, code: codeOf(error) }),
    onLeftover: (launchId, error) => report({ type: 'launch-leftover', launchId, code: codeOf(error) }),
  })
  return async (launch, answered) => {
    const { id: launchId } = launch
    const ticket = await queue.take(launch, answered).catch(error => {
      report({ type: 'launch-refused', launchId, code: codeOf(error) })
      throw error
    })
    report({ type: 'launch-taken', launchId })
    ticket.completed.then(
      () => report({ type: 'launch-done', launchId }),
      () => undefined,
    )
    return ticket
  }
}

/** Only our own errors have a code that says something. */
function codeOf(error: unknown): string {
  return isServiceLinkError(error) ? error.code : 'ERR_INTERNAL'
}
