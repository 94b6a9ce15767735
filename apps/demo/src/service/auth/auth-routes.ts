import { Hono } from 'hono'
import { ApiError } from '../http/api-error.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { Auth } from './create-auth.ts'
import { isFramed } from './framed-request.ts'

/**
 * The two addresses of the log-in library that the service has: `POST /sign-in/email`, for pages in windows only, and
 * `POST /sign-out`, which ends the session of the kind that the page has. Every other one is not found: the library has
 * dozens, among them a page that shows a caller's words, and the account's name and password to be changed.
 */
export function authRoutes(auth: Auth) {
  return new Hono<AppEnv>()
    .post('/sign-in/email', c => {
      // Before the library counts it: in a frame it would count by another rule under the same key.
      if (isFramed(c.req.raw.headers)) throw notFound()
      return auth.handler(c.req.raw)
    })
    .post('/sign-out', c => (isFramed(c.req.raw.headers) ? auth.framed : auth).handler(c.req.raw))
    .all('*', () => {
      throw notFound()
    })
}

function notFound(): ApiError {
  return new ApiError('ERR_NOT_FOUND', 'There is nothing at this address.')
}
