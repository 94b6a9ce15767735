import { serveStatic } from '@hono/node-server/serve-static'
import { readPage } from '@service-link/service'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { secureHeaders } from 'hono/secure-headers'
import type { PageKeys } from './page-keys.ts'

interface OwnPagesOptions {
  /** Folder of the built pages. */
  readonly folder: string
  /** The pages by path: where their forms and frames may lead. `/console` is the file `console.html`, `/` is `index.html`. */
  readonly pages: Readonly<Record<string, readonly string[]>>
  readonly keys: PageKeys
}

/** A new tab of the user takes its key at once. */
const linkKeyMs = 60_000

/**
 * Pages whose server answers their user alone. Everybody gets the files, which are public; every route that is added
 * later needs the key in the header `Authorization`. No cookie carries it: cookies ignore ports, and every user of this
 * machine may open another port of the same host.
 */
export function ownPages({ folder, pages, keys }: OwnPagesOptions) {
  const headers = new Map(Object.entries(pages).map(([path, targets]) => [path, pageHeaders(targets)]))
  const otherHeaders = pageHeaders([])
  const app = new Hono()
    .use((c, next) => (headers.get(c.req.path) ?? otherHeaders)(c, next))
    .get('/favicon.ico', c => c.body(null, 204))
    .get('/assets/*', serveStatic({ root: folder, precompressed: true }))
  for (const path of headers.keys())
    app.get(path, async c => {
      c.header('cache-control', 'no-store')
      return c.html(await readPage(folder, path.slice(1) || 'index', c.req.header('accept-language')))
    })
  return app
    .post('/key', bodyLimit({ maxSize: 256 }), async c => {
      const key = keys.exchange(await c.req.text())
      c.header('cache-control', 'no-store')
      return key === undefined ? c.text('This key was used, or is too old.\n', 403) : c.text(key)
    })
    .use(async (c, next) => {
      const [, given = ''] = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '') ?? []
      if (keys.isKey(given)) return next()
      return c.text('This address answers only the demo’s own pages, with their key.\n', 403)
    })
    .post('/keys', c => {
      c.header('cache-control', 'no-store')
      return c.text(keys.issue({ livesMs: linkKeyMs }))
    })
}

function pageHeaders(targets: readonly string[]) {
  const leadsTo = targets.length > 0 ? [...targets] : ["'none'"]
  return secureHeaders({
    // The service tells its user which page has sent the visit.
    referrerPolicy: 'strict-origin',
    xFrameOptions: 'DENY',
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      // The component library writes its dynamic styles into style elements.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: leadsTo,
      frameSrc: leadsTo,
      frameAncestors: ["'none'"],
    },
  })
}
