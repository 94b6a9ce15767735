import { createMiddleware } from 'hono/factory'
import { logInCounts } from '../auth/log-in-counts.ts'
import type { Database } from '../database/tables.ts'
import type { AppEnv } from '../http/app-env.ts'
import { clientAddressOf } from '../http/client-address.ts'
import { limitKey } from '../http/limit-key.ts'
import { LogInProblem } from './log-in-problem.ts'

/** Steps of log-ins of one address in a minute; a log-in has two, and a whole neighbourhood may share an address. */
const maxSteps = 240

/** Keeps one address from having the service ask the issuer without end (`ERR_EID_TOO_MANY`). */
export function limitLogIns(database: Database) {
  const counts = logInCounts(database)
  return createMiddleware<AppEnv>(async (c, next) => {
    const caller = limitKey(clientAddressOf(c))
    const counted = await counts.consume(`consumer:${caller}`, { window: 60, max: maxSteps })
    if (!counted.allowed) throw new LogInProblem('ERR_EID_TOO_MANY')
    await next()
  })
}
