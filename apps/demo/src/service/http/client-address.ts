import { getConnInfo } from '@hono/node-server/conninfo'
import { createMiddleware } from 'hono/factory'

/** Header that tells the log-in library the caller's network address. */
export const clientAddressHeader = 'x-client-address'

/** Writes the address of the connection into its header, over whatever the caller says there. For every route, and before it. */
export const clientAddress = createMiddleware(async (c, next) => {
  c.req.raw.headers.set(clientAddressHeader, getConnInfo(c).remote.address ?? '')
  await next()
})
