import { HandOffTakenError } from './instance/hand-off-address.ts'
import type { WrapperEvent } from './log/wrapper-event.ts'
import { PipeTakenError } from './pipe/pipe-server.ts'

/**
 * The event by which the log tells of a name that somebody else has taken before this user's wrapper could. No mistake of this
 * user's brings that about, and no other wrapper: an administrator shall look.
 *
 * @returns nothing for any other error
 */
export function incidentOf(error: unknown): WrapperEvent | undefined {
  if (error instanceof PipeTakenError) {
    const { address, owner } = error
    return { type: 'pipe-taken', pipe: address, ...(owner === undefined ? {} : { owner }) }
  }
  return error instanceof HandOffTakenError ? { type: 'hand-off-taken' } : undefined
}
