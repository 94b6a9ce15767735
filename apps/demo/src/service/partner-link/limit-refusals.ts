import { RateLimitedError, refusalResponse } from '@service-link/jwt-payload/receiver'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../http/app-env.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { createRefusedCounts } from './refused-counts.ts'

/** Answers before which a signature was checked or the database asked. What is refused by its shape costs nothing. */
const costlyRefusals: ReadonlySet<number> = new Set([401, 403, 410, 422])

/** Options of {@link limitRefusals}. */
export interface LimitRefusalsOptions {
  /** Counted refusals of one address in one window, after which the address is limited. Default 1,000. */
  readonly maxRefused?: number
  /** Refusals that a limited address may cost in a second; further requests are not looked at. Default 10. */
  readonly maxLooks?: number
  /** Length of a window in milliseconds. Default one minute. */
  readonly windowMs?: number
  /** Network address of the caller. Default: the one that `clientAddress` found. */
  readonly addressOf?: (c: Context) => string
  /** Milliseconds since any fixed moment. Default: the machine's steady clock. */
  readonly now?: () => number
  /** Most callers that are remembered in one window. Default 10,000. */
  readonly maxCallers?: number
  /** Told of each request that is not looked at. Default: nobody. */
  readonly onLimited?: () => void
}

/**
 * Keeps whoever posts one bad payload after the other, or tries one-time URLs, from costing a signature check or a round
 * trip to the database each (`ERR_RATE_LIMITED`). Only refusals that cost one are counted. Accepted posts are not: a busy
 * clinic behind one address is not held up; nor is what never looks like a payload, such as another method or media type.
 *
 * Of a limited address a few requests are still looked at, as long as they turn out acceptable: somebody else behind the
 * same address cannot keep a partner out alone by being refused.
 */
export function limitRefusals(options: LimitRefusalsOptions = {}) {
  const { maxRefused = 1000, windowMs = 60_000, addressOf = clientAddressOf, onLimited } = options
  const { now = () => performance.now(), maxCallers = 10_000, maxLooks = 10 } = options
  const refused = createRefusedCounts({ windowMs, now, maxCallers })
  const looks = createRefusedCounts({ windowMs: 1000, now, maxCallers })
  return createMiddleware<AppEnv>(async (c, next) => {
    const address = addressOf(c)
    if (refused.of(address) < maxRefused) {
      await next()
      if (costlyRefusals.has(c.res.status)) refused.add(address)
      return
    }
    if (looks.of(address) >= maxLooks) {
      onLimited?.()
      return tooManyRefusals(c.req.raw, refused.secondsLeft)
    }
    // Before it is looked at, so that many at once do not all get through.
    const takeBack = looks.add(address)
    await next()
    if (!costlyRefusals.has(c.res.status)) return takeBack()
    const requestId = c.res.headers.get('x-request-id') ?? undefined
    const answer = tooManyRefusals(c.req.raw, refused.secondsLeft, requestId)
    // The first one's headers would be put onto the second otherwise.
    c.res = undefined
    c.res = answer
  })
}

function tooManyRefusals(request: Request, retryAfterSeconds: number, requestId?: string): Response {
  const what = 'Too many requests from this address were refused.'
  return refusalResponse(new RateLimitedError(retryAfterSeconds, what), request, requestId)
}
