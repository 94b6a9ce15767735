import { RateLimitedError, refusalResponse } from '@service-link/jwt-payload/receiver'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../http/app-env.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { createRefusedCounts } from './refused-counts.ts'

/** Options of {@link limitRefusals}. */
export interface LimitRefusalsOptions {
  /** Refused posts of one address in one window, after which the next ones are not looked at. Default 1,000. */
  readonly maxRefused?: number
  /** Length of a window in milliseconds. Default one minute. */
  readonly windowMs?: number
  /** Network address of the caller. Default: the one that `clientAddress` found. */
  readonly addressOf?: (c: Context) => string
  /** Milliseconds since any fixed moment. Default: the machine's steady clock. */
  readonly now?: () => number
  /** Most callers that are remembered in one window. Default 10,000. */
  readonly maxCallers?: number
  /** Told of each post that is not looked at. Default: nobody. */
  readonly onLimited?: () => void
}

/**
 * Keeps whoever posts one bad payload after the other from costing a signature check each (`ERR_RATE_LIMITED`). Accepted
 * posts are never counted: a busy clinic behind one address is not held up.
 */
export function limitRefusals(options: LimitRefusalsOptions = {}) {
  const { maxRefused = 1000, windowMs = 60_000, addressOf = clientAddressOf, onLimited } = options
  const { now = () => performance.now(), maxCallers = 10_000 } = options
  const refused = createRefusedCounts({ windowMs, now, maxCallers })
  return createMiddleware<AppEnv>(async (c, next) => {
    const address = addressOf(c)
    if (refused.of(address) >= maxRefused) {
      onLimited?.()
      return tooManyRefusals(c.req.raw, refused.secondsLeft)
    }
    await next()
    if (c.res.status >= 400 && c.res.status < 500) refused.add(address)
  })
}

function tooManyRefusals(request: Request, retryAfterSeconds: number): Response {
  const what = 'Too many payloads from this address were refused.'
  return refusalResponse(new RateLimitedError(retryAfterSeconds, what), request)
}
