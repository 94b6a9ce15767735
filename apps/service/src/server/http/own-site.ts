import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { isThisMachine } from '@service-link/protocol-core'
import { type Language, languageAsked } from '@service-link/ui/language'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { ApiError } from './api-error.ts'

/** Name of a built page's file. */
export const pageFile = (name: string, language: Language) =>
  language === 'en' ? `${name}.html` : `${name}.${language}.html`

/** Reads a built page in the reader's language, by the header `Accept-Language`. */
export function readPage(folder: string, name: string, accepted: string | null | undefined): Promise<string> {
  return readFile(join(folder, pageFile(name, languageAsked(accepted))), 'utf8')
}

/**
 * Content-Security-Policy of the web app's page: everything comes from the service itself, but for a partner's logo.
 */
export function contentSecurityPolicy(
  nonce?: string,
  frameAncestors: readonly string[] = [],
  imageSources: readonly string[] = [],
): string {
  return [
    "default-src 'self'",
    nonce === undefined ? "script-src 'self'" : `script-src 'self' 'nonce-${nonce}'`,
    // The component library writes its dynamic styles into style elements.
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data:", ...imageSources].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
  ].join('; ')
}

export function securityHeaders(publicUrl: string) {
  const isHttps = publicUrl.startsWith('https:')
  const setHeaders = secureHeaders({
    referrerPolicy: 'no-referrer',
    xFrameOptions: 'DENY',
    strictTransportSecurity: isHttps ? 'max-age=31536000' : false,
  })
  return createMiddleware(async (c, next) => {
    // Scripts and style sheets are no pages. A page loads twenty of them, and half a kilobyte of headers each counts.
    if (c.req.path.startsWith('/assets/')) {
      c.header('x-content-type-options', 'nosniff')
      c.header('cross-origin-resource-policy', 'same-origin')
      return next()
    }
    await setHeaders(c, next)
    c.header('content-security-policy', contentSecurityPolicy())
  })
}

/**
 * Refuses a change that does not come from the service's own pages. Browsers state the origin of every such request.
 * A caller without an origin is no browser, so no other page can make it send its cookies.
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

/**
 * Redirects a browser that came by another name of this machine to the service's own address. The form goes with it
 * (307). Sessions belong to one name.
 */
export function canonicalHost(publicUrl: string) {
  const own = new URL(publicUrl)
  return createMiddleware(async (c, next) => {
    const asked = new URL(c.req.url)
    if (asked.host === own.host || c.req.header('sec-fetch-mode') !== 'navigate') return next()
    if (!isThisMachine(asked.hostname) || !isThisMachine(own.hostname)) return next()
    // Not resolved against the service's address: a path that begins with // would name another host.
    const target = new URL(own)
    target.pathname = asked.pathname
    target.search = asked.search
    return c.redirect(target.href, 307)
  })
}

/**
 * Serves the built web app: its files, and its index page at every other address, so that each address of the app can
 * be loaded.
 */
export function serveWebApp(folder: string) {
  return new Hono()
    .use(
      '/assets/*',
      serveStatic({
        root: folder,
        precompressed: true,
        onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
      }),
    )
    .get('/assets/*', c => c.notFound())
    .get('*', async c => {
      c.header('cache-control', 'no-store')
      return c.html(await readPage(folder, 'index', c.req.header('accept-language')))
    })
}
