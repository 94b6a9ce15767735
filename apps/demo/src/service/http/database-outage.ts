import { createMiddleware } from 'hono/factory'
import { DatabaseUnavailableError, watchDatabase } from '../database/failures.ts'
import type { AppEnv } from './app-env.ts'

/**
 * Answers with `ERR_UNAVAILABLE` whatever was asked while the database could not be reached, also where the log-in library
 * has made an answer of its own out of that: "not signed in" would have the web app log everybody out.
 */
export const databaseOutage = createMiddleware<AppEnv>(async (c, next) => {
  try {
    await watchDatabase(next)
  } catch (error) {
    // The answer that was made goes with its cookies, which might end a session.
    if (error instanceof DatabaseUnavailableError) c.res = undefined
    throw error
  }
})
