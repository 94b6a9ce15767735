import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Auth } from './auth/create-auth.ts'
import { isForFrame } from './auth/employee.ts'
import { contentSecurityPolicy } from './http/own-site.ts'

/**
 * Serves the built web app: its files, and its index page at every other address, so that each of the app's own addresses
 * can be loaded and reloaded.
 *
 * @param folder what the build wrote
 */
export function serveWebApp(folder: string) {
  return new Hono()
    .use(
      '/assets/*',
      serveStatic({
        root: folder,
        onFound: (_path, c) => c.header('cache-control', 'public, max-age=31536000, immutable'),
      }),
    )
    .get('/assets/*', c => c.notFound())
    .get('/favicon.svg', serveStatic({ root: folder }))
    .get('*', async c => {
      c.header('cache-control', 'no-store')
      return c.html(await readIndexPage(folder))
    })
}

/** Reads the page that starts the web app. */
export function readIndexPage(folder: string): Promise<string> {
  return readFile(join(folder, 'index.html'), 'utf8')
}

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
