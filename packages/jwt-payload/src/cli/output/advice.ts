import type { RefusalCode } from '../../errors/refusals.ts'
import { PostRefusedError } from '../../post/post-errors.ts'

const again = 'Sign a new payload and post that; each works once.'

const advice: Partial<Record<RefusalCode, string>> = {
  ERR_PAYLOAD_KEY:
    'Look whether kid and issuer are the registered ones, and whether your certificate is still valid.',
  ERR_PAYLOAD_REPLAYED: again,
  ERR_PAYLOAD_EXPIRED: `${again} Look at this machine’s clock if it goes on.`,
  ERR_PAYLOAD_NOT_YET_VALID: 'Set the clock of the signing machine.',
  ERR_PARTNER_INACTIVE: 'Ask the service: your registration is switched off.',
  ERR_RATE_LIMITED: 'Post more slowly.',
  ERR_UNAVAILABLE: `Wait a moment. ${again}`,
}

/** What to do after a refusal of the service; `undefined` for another error. */
export function adviceFor(error: unknown): string | undefined {
  if (!(error instanceof PostRefusedError)) return undefined
  const { refusalCode, retryAfterSeconds, requestId } = error
  if (!refusalCode)
    return 'Something other than a receiver of the partner link answered, such as a proxy. Look at the address.'
  const wait =
    retryAfterSeconds === undefined ? '' : ` The service asks to wait ${retryAfterSeconds} seconds.`
  const ask = requestId === undefined ? '' : ` The service finds this in its log as request ${requestId}.`
  return `${advice[refusalCode] ?? 'Give the token to "service-payload explain", which says what to change.'}${wait}${ask}`
}
