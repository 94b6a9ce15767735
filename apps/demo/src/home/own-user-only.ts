import { createHash, timingSafeEqual } from 'node:crypto'
import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { html } from 'hono/html'

interface OwnUserOnlyOptions {
  /** Origin of the server; requests with another `Host` are refused. */
  readonly origin: string
  /** Secret of the printed address. */
  readonly key: string
  /** Secret that opens the pages once: a process list may show the address that a browser is started with. */
  readonly onceKey: string
}

/**
 * Answers only who has the key: the pages control the wrapper, and every user of this machine reaches the port. The
 * printed address carries the key as `?key=…`; it becomes a cookie, and the browser goes on without it. A changed
 * `Host` would be another site that resolves to this machine; a foreign `Origin` is another page of the same browser.
 */
export function ownUserOnly({ origin, key, onceKey }: OwnUserOnlyOptions) {
  let isUsed = false
  const { host, port } = new URL(origin)
  // Cookies ignore the port, so the name says whose it is.
  const cookie = `home-${port}`
  return createMiddleware(async (c, next) => {
    if (c.req.header('host') !== host) return c.text(`This page is at ${origin}.\n`, 421)
    const isReading = c.req.method === 'GET' || c.req.method === 'HEAD'
    const sentFrom = c.req.header('origin')
    if (isReading ? sentFrom !== undefined && sentFrom !== origin : sentFrom !== origin)
      return c.text('This address takes requests from its own pages only.\n', 403)
    const url = new URL(c.req.url)
    const given = url.searchParams.get('key')
    const isOnce = isReading && !isUsed && isSame(given ?? '', onceKey)
    if (isOnce || (isReading && isSame(given ?? '', key))) {
      isUsed ||= isOnce
      setCookie(c, cookie, key, { httpOnly: true, sameSite: 'Strict', path: '/' })
      // No redirect: the browser would send no strict cookie when another site has led here.
      const target = url.pathname.replace(/^\/+/, '/')
      return c.html(
        html`<!doctype html><title>The demo</title><meta http-equiv="refresh" content="0;url=${target}" />`,
      )
    }
    if (isSame(getCookie(c, cookie) ?? '', key)) return next()
    return c.text('Open the whole address that npm run demo has printed, with its key.\n', 403)
  })
}

function isSame(given: string, key: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(key))
}
