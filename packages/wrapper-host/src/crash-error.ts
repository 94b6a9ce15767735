import { ServiceLinkError } from '@service-link/protocol-core'
import { kindOf } from './kind-of.ts'

/**
 * Something failed in the wrapper's process and nobody caught it, so that its state is not known. As the reason of
 * `StartOptions.signal` or of `RunningWrapper.close` it makes the wrapper write `crashed` to its log before it closes.
 */
export class CrashError extends ServiceLinkError<'ERR_CRASHED'> {
  readonly code = 'ERR_CRASHED'
  /** What kind of error it was, such as `TypeError`; nothing that somebody else has worded. */
  readonly kind: string

  /** @param error what nobody caught */
  constructor(error: unknown) {
    const kind = kindOf(error)
    super(`The wrapper ends: something failed that it does not know how to go on from (${kind}).`)
    this.kind = kind
  }
}
