import { createMiddleware } from 'hono/factory'

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Sends a browser that came by another name of this machine to the service's own address, a form with its content: sessions
 * belong to one name.
 */
export function canonicalHost(publicUrl: string) {
  const own = new URL(publicUrl)
  return createMiddleware(async (c, next) => {
    const asked = new URL(c.req.url)
    const isAlias =
      loopbackNames.has(asked.hostname) && loopbackNames.has(own.hostname) && asked.host !== own.host
    if (isAlias && c.req.header('sec-fetch-mode') === 'navigate')
      return c.redirect(new URL(asked.pathname + asked.search, own).href, 307)
    return next()
  })
}
