import { ServiceLinkError } from '@service-link/protocol-core'
import { type RefusalCode, refusalStatus } from './refusal-codes.ts'

/** Base of every reason for which a payload is refused; the message is a sentence for the partner's developer. */
export abstract class Refusal<Code extends RefusalCode = RefusalCode> extends ServiceLinkError<Code> {
  /** HTTP status that the receiver answers with. */
  get status(): (typeof refusalStatus)[Code] {
    return refusalStatus[this.code]
  }
}
