import type { RefusalCode } from '../errors/refusal-codes.ts'
import type { PayloadCheckName } from '../verify/payload-checks.ts'

/**
 * Checks of the service around those of the token: whether a partner can be found and is active, as far as its registration
 * is known; whether it posts too often, and whether the token was used before, which only the service knows.
 */
export type ServiceCheckName = 'partner' | 'active' | 'rate' | 'replay'

/** What one check makes of a token. Meant for people who write a sender; `code` is what a program may rely on. */
export interface ExplainedCheck {
  /** `token`: whether the text is a signed JWT at all. */
  readonly check: 'token' | PayloadCheckName | ServiceCheckName
  readonly outcome: 'passed' | 'failed' | 'not-checked'
  /** False for what is read from a token whose signature does not fit: anyone may have written it. */
  readonly isTrusted: boolean
  /** What the service answers, where the check failed. */
  readonly code?: RefusalCode
  /** What was found. Names claims, times, keys and addresses; never the value of a claim about a person. */
  readonly says: string
  /** What to change; also where a check passed, and something beside it is going to fail. */
  readonly change?: string
}

/** What is said of one check. */
export type Words = Pick<ExplainedCheck, 'says' | 'change'>
