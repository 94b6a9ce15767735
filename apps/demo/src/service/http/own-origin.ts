import { createMiddleware } from 'hono/factory'
import { ApiError } from './api-error.ts'

/**
 * Refuses a request that changes something and does not come from the service's own pages. Browsers state the origin of
 * every such request; a caller that states none is no browser and carries no cookie by itself.
 */
export function ownOrigin(publicUrl: string) {
  const own = new URL(publicUrl).origin
  return createMiddleware(async (c, next) => {
    const isReading = c.req.method === 'GET' || c.req.method === 'HEAD'
    const origin = c.req.header('origin')
    const site = c.req.header('sec-fetch-site')
    if (
      !isReading &&
      ((origin !== undefined && origin !== own) || (site !== undefined && site !== 'same-origin'))
    )
      throw new ApiError('ERR_ORIGIN', 'This address takes requests from the service’s own pages only.')
    await next()
  })
}
