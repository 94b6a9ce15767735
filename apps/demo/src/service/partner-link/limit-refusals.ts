import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from '../http/app-env.ts'

/** Options of {@link limitRefusals}. */
export interface LimitRefusalsOptions {
  /** Refused posts of one address in one window, after which the next ones are not looked at. Default 1,000. */
  readonly maxRefused?: number
  /** Length of a window in milliseconds. Default one minute. */
  readonly windowMs?: number
  /** Network address of the caller. Default: that of the connection. */
  readonly addressOf?: (c: Context) => string
  /** Milliseconds since any fixed moment. Default: the machine's steady clock. */
  readonly now?: () => number
}

/**
 * Keeps whoever posts one bad payload after the other from costing a signature check each (`ERR_RATE_LIMITED`). Accepted
 * posts are never counted: a busy clinic behind one address is not held up.
 */
export function limitRefusals(options: LimitRefusalsOptions = {}) {
  const { maxRefused = 1000, windowMs = 60_000, addressOf = connectionAddress } = options
  const { now = () => performance.now() } = options
  const refused = new Map<string, number>()
  let windowEndsAt = now() + windowMs
  return createMiddleware<AppEnv>(async (c, next) => {
    if (now() >= windowEndsAt) {
      refused.clear()
      windowEndsAt = now() + windowMs
    }
    const address = addressOf(c)
    const countRefused = () => refused.get(address) ?? 0
    if (countRefused() >= maxRefused) return tooManyRefusals(Math.ceil((windowEndsAt - now()) / 1000))
    await next()
    if (c.res.status >= 400 && c.res.status < 500) refused.set(address, countRefused() + 1)
  })
}

function connectionAddress(c: Context): string {
  return getConnInfo(c).remote.address ?? ''
}

function tooManyRefusals(retryAfterSeconds: number): Response {
  const requestId = crypto.randomUUID()
  return Response.json(
    {
      type: 'about:blank',
      title: 'Too many requests',
      status: 429,
      detail: `Too many payloads from this address were refused. Send the next one in ${retryAfterSeconds} s.`,
      code: 'ERR_RATE_LIMITED',
      requestId,
    },
    {
      status: 429,
      headers: {
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'retry-after': String(retryAfterSeconds),
        'x-request-id': requestId,
      },
    },
  )
}
