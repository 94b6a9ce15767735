import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

/**
 * Serves the built web app: its files, and its index page at every other address, so that each address of the app can be
 * loaded.
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
