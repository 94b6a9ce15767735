import { createMiddleware } from 'hono/factory'
import type { Auth } from '../auth/create-auth.ts'
import { isForFrame } from '../auth/framed-request.ts'
import { contentSecurityPolicy } from '../http/content-security-policy.ts'

/**
 * Lets the web app's page be loaded again in a frame by which it has a session, under the pages of the partner whose frame it
 * is and under no others. To stand before what sets the headers, which allow no frame.
 */
export function framePolicy(auth: Auth) {
  return createMiddleware(async (c, next) => {
    await next()
    const { headers } = c.res
    const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
    if (c.req.method !== 'GET' || !isPage || !isForFrame(c.req.header('sec-fetch-dest'))) return
    const found = await auth.framed.api.getSession({ headers: c.req.raw.headers })
    const origins = found ? auth.frameOriginsOf(found.session.partnerId) : []
    if (origins.length === 0) return
    headers.set('content-security-policy', contentSecurityPolicy(undefined, origins))
    headers.delete('x-frame-options')
  })
}
