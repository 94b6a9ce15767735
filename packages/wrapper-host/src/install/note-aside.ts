import type { ReportEvent } from '../log/events.ts'
import { failureReason } from '../log/failure-reason.ts'
import { type Installation, noteInstallation } from './note-installation.ts'

/**
 * Notes where this wrapper is beside its other work; that it could not is an event.
 *
 * @returns what waits for it when the wrapper ends
 */
export function noteAside(installation: Installation, report: ReportEvent): AsyncDisposable {
  const noted = noteInstallation(installation).catch(error =>
    report({ type: 'installation-unnoted', reason: failureReason(error) }),
  )
  return { [Symbol.asyncDispose]: () => noted }
}
