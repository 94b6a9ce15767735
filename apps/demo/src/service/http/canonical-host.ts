import { createMiddleware } from 'hono/factory'
import { isLoopbackName } from './is-loopback-name.ts'

/**
 * Sends a browser that came by another name of this machine to the service's own address, a form with its content: sessions
 * belong to one name.
 */
export function canonicalHost(publicUrl: string) {
  const own = new URL(publicUrl)
  return createMiddleware(async (c, next) => {
    const asked = new URL(c.req.url)
    const isAlias = isLoopbackName(asked.hostname) && isLoopbackName(own.hostname) && asked.host !== own.host
    if (!isAlias || c.req.header('sec-fetch-mode') !== 'navigate') return next()
    // Not resolved against the own address: a path that begins with // would name another host.
    const target = new URL(own)
    target.pathname = asked.pathname
    target.search = asked.search
    return c.redirect(target.href, 307)
  })
}
